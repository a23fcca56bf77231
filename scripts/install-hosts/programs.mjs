import { join } from 'node:path'

const PROMPT = 'Say done.'
const platform = `${process.platform}-${process.arch}`

/** Hosts that npm has and that run without a network: what they are told of a model, and how they are asked something. */
export const PROGRAMS = {
  'claude-code': {
    package: ['@anthropic-ai/claude-code', '2.1.197'],
    file: (installed) => join(`${installed}-${platform}`, 'claude'),
    args: ['-p', PROMPT, '--model', 'scripted'],
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false',
    }),
  },
  'copilot-cli': {
    package: ['@github/copilot', '1.0.102'],
    file: (installed) => join(`${installed}-${platform}`, 'copilot'),
    args: ['-p', PROMPT, '--allow-all-tools'],
    env: (model) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_MODEL: 'scripted',
      COPILOT_ALLOW_ALL: 'true',
    }),
  },
  codex: {
    package: ['@openai/codex', '0.166.0'],
    file: (installed) => join(installed, 'bin', 'codex.js'),
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', PROMPT],
    settings: {
      path: '.codex/config.toml',
      text: (model) => `# A model that is here.
model = "scripted" # no other
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
wire_api = "responses"
`,
    },
  },
  'gemini-cli': {
    package: ['@google/gemini-cli', '0.61.0'],
    file: (installed) => join(installed, 'bundle', 'gemini.js'),
    args: ['-p', PROMPT, '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo'],
    settings: {
      path: '.gemini/settings.json',
      text: () => `{
  // No page in a browser.
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "telemetry": { "enabled": false } /* none */
}
`,
    },
    env: (model) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }),
  },
  opencode: {
    package: ['opencode-ai', '1.18.33'],
    file: (installed) => join(installed, '..', `opencode-${platform}`, 'bin', 'opencode'),
    args: ['run', PROMPT],
    settings: {
      path: '.config/opencode/opencode.json',
      text: (model) => `{
  // A model that is here.
  "model": "scripted/scripted",
  "small_model": "scripted/scripted",
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "scripted",
      "options": { "baseURL": "${model}/v1", "apiKey": "none" },
      "models": { "scripted": { "name": "scripted", "tool_call": true } },
    },
  },
  "autoupdate": false,
}
`,
    },
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' }),
  },
}

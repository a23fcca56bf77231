import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install } from '../outside.mjs'
import { Model } from './model.mjs'

/** Whatever a host is told to do, this is how it is begun: the scripted model says the rest. */
const PROMPT = 'Call the tool which until you are told to stop.'

/** What a host writes to its end is told where it goes wrong, and no more than this of it. */
const TAIL = 2000

/** How long a host may take to leave. */
const LEAVE_MS = 2000

/** Programs that people use a server from: where they are installed from, and how they are told of a model and a server. */
const PROGRAMS = {
  'Claude Code': {
    package: ['@anthropic-ai/claude-code', '2.1.197'],
    file: (installed) => join(`${installed}-${process.platform}-${process.arch}`, 'claude'),
    start: ({ model, server }) => ({
      args: [
        ...['-p', PROMPT, '--model', 'scripted', '--strict-mcp-config', '--allowedTools', 'mcp__changing'],
        ...['--mcp-config', JSON.stringify({ mcpServers: { changing: claudeServer(server) } })],
      ],
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }),
  },
  opencode: {
    package: ['opencode-ai', '1.18.33'],
    file: (installed) =>
      join(installed, '..', `opencode-${process.platform}-${process.arch}`, 'bin', 'opencode'),
    start: ({ model, server }) => ({
      args: ['run', PROMPT],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeSettings(model, server)),
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      },
    }),
  },
  Codex: {
    package: ['@openai/codex', '0.166.0'],
    // It does not ask again what a server offers while it is at work, whatever the server tells it.
    listsOnce: true,
    file: (installed) => join(installed, 'bin', 'codex.js'),
    start({ model, server, home }) {
      writeFileSync(join(home, 'config.toml'), codexSettings(model, server))
      const args = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', PROMPT]
      return { args, env: { CODEX_HOME: home } }
    },
  },
}

/** Each host as the storm's other clients are: what its model has it call is what it calls. */
export const HOSTS = Object.fromEntries(
  Object.entries(PROGRAMS).map(([name, program]) => [name, (target) => openHost(program, target)]),
)

/** A host before a scripted model, which knows by the name of one tool when it is asked for the host's own work. */
export async function startHost(name, command, known) {
  const { model, child, close } = await start(PROGRAMS[name], () => command, known)
  child.once('exit', (code, signal) =>
    model.fail(`${name} has ended with ${code ?? signal}: ${child.said()}`),
  )
  return { model, version: PROGRAMS[name].package[1], close }
}

/** The program, told of the model and of the server. */
async function start(program, serverIn, known) {
  const installed = await install(...program.package)
  // Not below this folder, which hosts would take for the project that they work on.
  const home = mkdtempSync(join(tmpdir(), 'dev-storm-'))
  const model = await Model.open(known)
  const server = serverIn(home)
  const child = run(program.file(installed), program.start({ model: model.url, server, home }), home)
  const close = async () => {
    child.removeAllListeners('exit')
    if (child.exitCode === null && child.signalCode === null) await end(child)
    await model.close()
    rmSync(home, { recursive: true, force: true })
  }
  return { model, child, close }
}

async function openHost(program, target) {
  let watched = { starts: () => 1 }
  const { model, child, close } = await start(program, (home) => {
    if (target.url === undefined) watched = watchStarts(target.command, home)
    return target.url ?? watched.command
  })
  const ended = []
  child.once('exit', (code, signal) => {
    ended.push(`the host has ended with ${code ?? signal}: ${child.said()}`)
    model.fail(ended[0])
  })
  return {
    get told() {
      if (program.listsOnce) return undefined
      return model.tools.filter(({ name }) => /more-\d+$/.test(name)).length
    },
    get stderr() {
      return watched.stderr()
    },
    get lost() {
      return [...ended, ...Array(Math.max(0, watched.starts() - 1)).fill('the host began the server again')]
    },
    call: async () => textIn(await model.call('which')),
    close,
  }
}

/** Some finish what they are at, which here never ends. */
async function end(child) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), LEAVE_MS)
  await ended
  clearTimeout(late)
}

/** A host keeps its servers' stderr to itself, and begins a server again when its connection is lost: both are written down. */
function watchStarts({ command, args }, home) {
  const starts = join(home, 'starts')
  const stderr = join(home, 'stderr')
  const script = 'echo started >> "$0"; errors="$1"; shift; exec "$@" 2>> "$errors"'
  const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return {
    command: ['sh', '-c', script, starts, stderr, command, ...args],
    starts: () => read(starts).split('\n').length - 1,
    stderr: () => read(stderr),
  }
}

function run(file, { args, env }, home) {
  const [command, first] = file.endsWith('.js') ? [process.execPath, [file]] : [file, []]
  const child = spawn(command, [...first, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const keep = (text) => {
    said = (said + text).slice(-TAIL)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return Object.assign(child, { said: () => said.trim() })
}

/** Codex puts the time before what a tool gave. */
const textIn = (text) => text.replace(/^Wall time: .*\nOutput:/, '').trim()

const claudeServer = (server) =>
  typeof server === 'string' ? { type: 'http', url: server } : { command: server[0], args: server.slice(1) }

/** A model that can be shown pictures. */
const SCRIPTED = {
  name: 'scripted',
  tool_call: true,
  attachment: true,
  modalities: { input: ['text', 'image'], output: ['text'] },
}

function opencodeSettings(model, server) {
  const options = { baseURL: `${model}/v1`, apiKey: 'none' }
  const scripted = { npm: '@ai-sdk/openai-compatible', name: 'scripted', options }
  return {
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    provider: { scripted: { ...scripted, models: { scripted: SCRIPTED } } },
    mcp: {
      changing:
        typeof server === 'string' ? { type: 'remote', url: server } : { type: 'local', command: server },
    },
    // A tool that is called again and again is asked about otherwise.
    permission: { '*': 'allow', doom_loop: 'allow' },
    autoupdate: false,
    snapshot: false,
    share: 'disabled',
  }
}

function codexSettings(model, server) {
  const where =
    typeof server === 'string'
      ? `url = ${JSON.stringify(server)}`
      : `command = ${JSON.stringify(server[0])}\nargs = ${JSON.stringify(server.slice(1))}`
  return `model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
wire_api = "responses"

[mcp_servers.changing]
${where}
`
}

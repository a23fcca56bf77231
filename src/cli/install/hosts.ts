import { join } from 'node:path'
import type { FormatName } from './formats/index.ts'
import { type HostShape, SHAPES } from './shapes.ts'

/** A program that people use servers from: where its settings are, and how a server is written into them. */
export interface InstallHost {
  readonly id: string
  readonly name: string
  /** What it calls itself when it connects, where that is known. */
  readonly client?: string
  /** Its files for a person, and for a project; the first that is there is taken, or else the first. */
  readonly user: (folders: HostFolders) => readonly HostFile[]
  readonly project?: readonly HostFile[]
  /** What is there where it is installed, if not the folder of its file; and its command. */
  readonly signs?: (folders: HostFolders) => readonly string[]
  readonly command?: string
  /** How it writes a variable that it fills in, `*` for the name; undefined where it fills in none. */
  readonly variable?: string
  /** How to have it look at its file again. */
  readonly after: string
}

export interface HostFile {
  readonly path: string
  readonly format: FormatName
  /** The name that its servers stand under, or names. */
  readonly under: readonly string[]
  readonly shape: HostShape
  /** Where they stand in files of a later kind, which are kept as they are. */
  readonly later?: { readonly under: readonly string[]; readonly shape: HostShape }
}

/** Where hosts have their settings on this machine. */
export interface HostFolders {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** `~/.config`, or where XDG_CONFIG_HOME says. */
  readonly config: string
  /** What the system has for settings of programs. */
  readonly settings: string
  readonly variable: (name: string) => string | undefined
}

/** A file of JSON with servers by name, which is what most have. */
const json = (path: string, shape: HostShape, under = 'mcpServers'): HostFile => ({
  ...{ path, format: 'json', under: [under], shape },
})

const codexFile = (path: string): HostFile => ({
  ...{ path, format: 'toml', under: ['mcp_servers'], shape: SHAPES.codex },
})

/** The script, and the file that it has replaced. */
const crushFiles = (scripts: readonly string[], settings: readonly string[]): readonly HostFile[] => [
  ...scripts.map((path) => ({ path, format: 'bash', under: ['mcp'], shape: SHAPES.crush }) as const),
  ...settings.map((path) => json(path, SHAPES.crush, 'mcp')),
]

/** Version 2 has its servers a name deeper, and reads both. */
const opencodeFiles = (folder: string): readonly HostFile[] =>
  ['opencode.json', 'opencode.jsonc'].map((name) => ({
    ...json(join(folder, name), SHAPES.opencode, 'mcp'),
    later: { under: ['mcp', 'servers'], shape: SHAPES.opencode2 },
  }))

/** The hosts that `perigee install` knows; docs/INSTALL.md says where each of these facts is from. */
export const INSTALL_HOSTS: readonly InstallHost[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    client: 'claude-code',
    user: ({ home, variable }) => [
      json(join(variable('CLAUDE_CONFIG_DIR') ?? home, '.claude.json'), SHAPES.claudeCode),
    ],
    project: [json('.mcp.json', SHAPES.claudeCode)],
    signs: ({ home, variable }) => [
      variable('CLAUDE_CONFIG_DIR') ?? join(home, '.claude'),
      join(home, '.claude.json'),
    ],
    command: 'claude',
    variable: '${*}',
    after: 'begin a new session; it asks once whether it may use a server of a project',
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    client: 'claude-ai',
    user: ({ settings }) => [
      json(join(settings, 'Claude', 'claude_desktop_config.json'), SHAPES.claudeDesktop),
    ],
    after: 'quit it and start it again',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    user: ({ home }) => [json(join(home, '.cursor', 'mcp.json'), SHAPES.plain)],
    project: [json(join('.cursor', 'mcp.json'), SHAPES.plain)],
    command: 'cursor',
    variable: '${env:*}',
    after: 'switch the server on in its settings',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    client: 'Visual Studio Code',
    user: ({ settings }) => [json(join(settings, 'Code', 'User', 'mcp.json'), SHAPES.vscode, 'servers')],
    project: [json(join('.vscode', 'mcp.json'), SHAPES.vscode, 'servers')],
    command: 'code',
    variable: '${env:*}',
    after: 'MCP: List Servers, and start it',
  },
  {
    id: 'copilot-cli',
    name: 'Copilot CLI',
    client: 'github-copilot-developer',
    user: ({ home, variable }) => [
      json(join(variable('COPILOT_HOME') ?? join(home, '.copilot'), 'mcp-config.json'), SHAPES.copilot),
    ],
    // A file that it shares with Claude Code, whose words it understands.
    project: [json('.mcp.json', SHAPES.claudeCode)],
    command: 'copilot',
    variable: '${*}',
    after: 'begin a new session',
  },
  {
    id: 'codex',
    name: 'Codex',
    client: 'codex-mcp-client',
    user: ({ home, variable }) => [
      codexFile(join(variable('CODEX_HOME') ?? join(home, '.codex'), 'config.toml')),
    ],
    project: [codexFile(join('.codex', 'config.toml'))],
    command: 'codex',
    variable: '${*}', // It has fields of its own for them.
    after: 'begin a new session; a file of a project counts where the project is trusted',
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    client: 'gemini-cli-mcp-client',
    user: ({ home, variable }) => [
      json(join(variable('GEMINI_CLI_HOME') ?? home, '.gemini', 'settings.json'), SHAPES.gemini),
    ],
    project: [json(join('.gemini', 'settings.json'), SHAPES.gemini)],
    command: 'gemini',
    variable: '${*}',
    after: 'begin a new session',
  },
  {
    id: 'opencode',
    name: 'opencode',
    client: 'opencode',
    user: ({ config }) => opencodeFiles(join(config, 'opencode')),
    project: opencodeFiles(''),
    command: 'opencode',
    variable: '{env:*}',
    after: 'begin a new session',
  },
  {
    id: 'crush',
    name: 'Crush',
    user: ({ config }) =>
      crushFiles([join(config, 'crush', 'crushrc')], [join(config, 'crush', 'crush.json')]),
    project: crushFiles(['.crushrc', 'crushrc'], ['.crush.json', 'crush.json']),
    command: 'crush',
    variable: '${*}',
    after: 'begin a new session',
  },
  {
    id: 'goose',
    name: 'goose',
    client: 'goose',
    user: ({ platform, config, settings }) => [
      {
        path:
          platform === 'win32'
            ? join(settings, 'Block', 'goose', 'config', 'config.yaml')
            : join(config, 'goose', 'config.yaml'),
        ...{ format: 'yaml', under: ['extensions'], shape: SHAPES.goose },
      },
    ],
    command: 'goose',
    variable: '${*}', // In headers; for a command it has a list of names.
    after: 'begin a new session',
  },
  {
    id: 'zed',
    name: 'Zed',
    user: ({ platform, config, settings }) => [
      json(
        join(platform === 'win32' ? join(settings, 'Zed') : join(config, 'zed'), 'settings.json'),
        SHAPES.plain,
        'context_servers',
      ),
    ],
    project: [json(join('.zed', 'settings.json'), SHAPES.plain, 'context_servers')],
    command: 'zed',
    after: 'it looks by itself',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    user: ({ home }) => [json(join(home, '.codeium', 'windsurf', 'mcp_config.json'), SHAPES.windsurf)],
    command: 'windsurf',
    variable: '${env:*}',
    after: 'press Refresh among its MCP servers',
  },
]

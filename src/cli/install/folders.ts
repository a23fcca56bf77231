import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { HostFolders, InstallHost } from './hosts.ts'

/** Where hosts have their settings here. */
export function foldersHere(): HostFolders {
  const variable = (name: string) => process.env[name] || undefined
  const home = homedir()
  const config = variable('XDG_CONFIG_HOME') ?? join(home, '.config')
  const settings: { readonly [platform: string]: string } = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: variable('APPDATA') ?? join(home, 'AppData', 'Roaming'),
  }
  const { platform } = process
  return { platform, home, config, settings: settings[platform] ?? config, variable }
}

/** Whether a host is on this machine: it has settings, or a command. */
export function isHere(host: InstallHost, folders: HostFolders): boolean {
  const signs = host.signs?.(folders) ?? host.user(folders).map(({ path }) => dirname(path))
  return signs.some((sign) => existsSync(sign)) || isCommand(host.command, folders)
}

function isCommand(command: string | undefined, { platform, variable }: HostFolders): boolean {
  if (command === undefined) return false
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  const paths = (variable('PATH') ?? '').split(delimiter).filter((path) => path !== '')
  return paths.some((path) => endings.some((ending) => existsSync(join(path, command + ending))))
}

/** A path as people write it. */
export function shortPath(path: string): string {
  const home = homedir()
  return path.startsWith(join(home, '/')) ? join('~', path.slice(home.length)) : path
}

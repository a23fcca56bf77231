import { spawn } from 'node:child_process'

const COMMANDS: { readonly [platform: string]: readonly [string, ...string[]] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page in somebody's browser, where there is one; without a screen there is none. */
export function openBrowser(url: string): void {
  const hasScreen =
    process.platform in COMMANDS || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])
  const named = process.env['BROWSER']
  if (!hasScreen && named === undefined) return
  const [command, ...args] = named === undefined ? (COMMANDS[process.platform] ?? ['xdg-open']) : [named]
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {}) // The address is printed, too.
  child.unref()
}

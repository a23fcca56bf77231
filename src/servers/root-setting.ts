import { realpathSync } from 'node:fs'
import { parse } from 'node:path'
import { checkFolder } from './path-setting.ts'
import type { ServerContext, Setting } from './ready-server.ts'

/** The folder that file tools may use. */
export function rootSetting(environment: string): Setting {
  return { environment, placeholder: 'DIR', description: 'the folder its file tools may use', fallback: '.' }
}

/** Several of them, and whether one may be everything there is. */
export function rootSettings(environment: string): { readonly [name: string]: Setting } {
  return {
    root: {
      ...rootSetting(environment),
      kind: 'many',
      description: 'a folder its file tools may use; may be given again',
    },
    'whole-disk': {
      kind: 'switch',
      description: 'lets / be a root, so that its file tools may use every file of this machine',
    },
  }
}

/** Throws an Error where a root is no folder, or is the whole disk and nobody has said so aloud. */
export function checkRoots({ lists, settings }: ServerContext): readonly string[] {
  const roots = lists['root'] ?? [settings['root'] ?? '.']
  for (const root of roots) {
    const path = realpathSync(checkRoot(root)) // A link may lead there, too.
    if (path === parse(path).root && settings['whole-disk'] === undefined)
      throw new Error(`root: ${path} is every file of this machine; add --whole-disk if that is meant`)
  }
  return roots.length === 0 ? ['.'] : roots
}

export function checkRoot(root = '.'): string {
  return checkFolder('root', root)
}

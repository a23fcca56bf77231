/** A part of Node, loaded when it is needed; elsewhere scripts need a sandbox that is given. */
export function node<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const found = globalThis.process?.getBuiltinModule?.(name)
  if (found !== undefined) return found as Builtins[Name]
  throw new Error(
    `offer: 'code' runs scripts in threads of Node, of which there are none here: give a sandbox`,
  )
}

interface Builtins {
  readonly 'node:worker_threads': typeof import('node:worker_threads')
  readonly 'node:module': typeof import('node:module')
  readonly 'node:fs/promises': typeof import('node:fs/promises')
}

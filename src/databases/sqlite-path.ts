/** The path in `sqlite:PATH`. Hosts that start servers expand no tilde, and some people write two slashes more. */
export function sqlitePath(rest: string): string {
  const path = rest
    .replace(/^\/\//, '')
    .replace(/^~(?=[/\\])/, () => process.getBuiltinModule('node:os').homedir())
  if (path === ':memory:') throw new Error('store: expected memory: for what is not kept')
  if (path === '') throw new Error('store: expected the path of a file after sqlite:')
  return path
}

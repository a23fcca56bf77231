import { join, parse } from 'node:path'

/** The file beside a configuration in which its tools are pinned: `.mcp.pins.json` beside `.mcp.json`. */
export function pinsBeside(file: string): string {
  const { dir, name } = parse(file)
  return join(dir, `${name}.pins.json`)
}

import { resolve } from 'node:path'
import { quoted } from '../../modules/upstream/pins/pins.ts'

/** What a gateway reads unless told otherwise: the file that hosts have in a project. */
export const CONFIGURATION = '.mcp.json'

/** What one types after a name, wherever one is, so that it is looked up in the same files. */
export function fromFiles(files: readonly string[]): string {
  return files.map((file) => ` --from ${quoted(resolve(file))}`).join('')
}

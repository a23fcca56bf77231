import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder of what Perigee keeps for a person, whatever project they are in; nobody else can look into it. */
export function homeFolder(...parts: readonly string[]): string {
  return join(process.env['PERIGEE_HOME'] || join(homedir(), '.perigee'), ...parts)
}

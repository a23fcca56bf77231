import { isObject, type JsonObject } from '../kernel/index.ts'
import type { ClientConnection } from './connection.ts'

const TASKS = 'io.modelcontextprotocol/tasks'

/** What a request about tasks declares: an extension is declared where it is used, and nowhere else. */
export function tasksDeclared({ revision, self }: ClientConnection): { readonly capabilities?: JsonObject } {
  if (revision.tasks !== 'extension') return {}
  const { extensions } = self.capabilities
  return { capabilities: { extensions: { ...(isObject(extensions) && extensions), [TASKS]: {} } } }
}

import { isObject, type JsonObject } from '../kernel/index.ts'
import type { Connection } from './connection.ts'

const TASKS = 'io.modelcontextprotocol/tasks'

/** What a request about tasks declares: an extension is declared where it is used, and nowhere else. */
export function tasksDeclared({ revision, self }: Connection): { readonly capabilities?: JsonObject } {
  if (revision.tasks !== 'extension') return {}
  const { extensions } = self.capabilities
  return { capabilities: { extensions: { ...(isObject(extensions) && extensions), [TASKS]: {} } } }
}

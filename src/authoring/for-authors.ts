import type { AuthorServer } from '../kernel/index.ts'
import { openStore } from '../stores/index.ts'
import { defineServer as define, type ServerDefinition } from './define-server.ts'

/**
 * Makes a server of a definition; what is wrong with it is a TypeError here, and not a surprise later.
 * @example const server = defineServer({ name: 'sums', version: '1.0.0', tools: [tool] })
 */
export function defineServer(definition: ServerDefinition): AuthorServer {
  return define(definition, openStore) // The kernel's own face has more, which is not for authors.
}

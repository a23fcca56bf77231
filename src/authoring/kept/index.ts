import {
  type AuthorMiddleware,
  type AuthorServer,
  callable,
  type Json,
  oneOf,
  type Server,
  text,
} from '../../kernel/index.ts'
import type { Module } from '../define.ts'
import { KeptList } from './kept-list.ts'
import type { AnyKeptOptions, KeptDefinitions, KeptOptions } from './options.ts'

export type { KeptDefinitions, KeptOptions } from './options.ts'

/** Things that were made of data at run time, on every node that shares the server's store. */
export interface KeptOffers<Data> {
  /** What keeps them up to date: the members of a module that brings them. */
  readonly module: Pick<Module, 'wraps' | 'middleware' | 'close'>
  /** Offers one more to its owner, on every node; gives nothing back where the store is this process's own. */
  add(server: AuthorServer, owner: string, data: Data): Promise<void> | undefined
  /** Tells whether there was one to remove. */
  remove(server: AuthorServer, owner: string, key: string): boolean | Promise<boolean>
}

const DAY_MS = 86_400_000

/**
 * Keeps tools, resources or prompts that are made at run time where every node finds them: as data, of which `define`
 * makes them. What is added by `server.tools.add` instead is there on this node alone, for as long as it lives.
 * @example
 * const kept = keepOffers({
 *   name: 'words',
 *   list: 'tools',
 *   define: (word: string) => ({ name: word, description: `Say ${word}`, run: () => word }),
 * })
 * const words = defineModule({ name: 'words', ...kept.module })
 */
export function keepOffers<Data, List extends keyof KeptDefinitions>(
  given: KeptOptions<Data, List>,
): KeptOffers<Data> {
  const { define, list } = given
  text(given.name, 'keepOffers: name')
  oneOf(...Object.keys(KEYS))(list, 'keepOffers: list')
  callable(define, 'keepOffers: define')
  const options = {
    ttlMs: DAY_MS,
    ...given,
    keyOf: (data: Data) => KEYS[list](define(data)),
  } as unknown as AnyKeptOptions // Data is what the author's functions take, and comes back as it went.
  const lists = new WeakMap<object, KeptList>()
  const listOf = (server: AuthorServer) => {
    const { platform } = server as Server // The same for all who see the server, each in its own way.
    const found = lists.get(platform) ?? new KeptList(server, options)
    lists.set(platform, found)
    return found
  }
  return {
    module: {
      wraps: 'server',
      middleware: [openFirst(list, listOf), ...(list === 'tools' ? [lookAgain(listOf)] : [])],
      close: (server) => listOf(server).close(),
    },
    add: (server, owner, data) => listOf(server).add(owner, data as Json),
    remove: (server, owner, key) => listOf(server).remove(owner, key),
  }
}

const KEYS: { readonly [List in keyof KeptDefinitions]: (definition: KeptDefinitions[List]) => string } = {
  tools: ({ name }) => name,
  prompts: ({ name }) => name,
  resources: ({ uri }) => uri,
  templates: ({ uriTemplate }) => uriTemplate,
}

/** The first call that is about the list waits for what is kept; a server that keeps nothing for others has no wait. */
function openFirst(
  list: keyof KeptDefinitions,
  listOf: (server: AuthorServer) => KeptList,
): AuthorMiddleware {
  const family = list === 'templates' ? 'resources/' : `${list}/`
  return (call, next) => {
    const opening = listOf(call.server).open()
    return opening !== undefined && call.method.startsWith(family)
      ? opening.then(() => next(call))
      : next(call)
  }
}

/** A tool that is not here may have been made on another node a moment ago. */
function lookAgain(listOf: (server: AuthorServer) => KeptList): AuthorMiddleware {
  return (call, next) => {
    if (call.method !== 'tools/call') return next(call)
    const kept = listOf(call.server)
    const name = call.params?.['name']
    if (!kept.shared || typeof name !== 'string') return next(call)
    if (!call.server.tools.has(name, call.owner)) return kept.refresh(call.owner).then(() => next(call))
    kept.used(call.owner)
    return next(call)
  }
}

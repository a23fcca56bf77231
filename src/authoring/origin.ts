import { type AuthorServer, type Middleware, type Origin, type Server, wrap } from '../kernel/index.ts'
import type { Module } from './define.ts'

/** What a module's things have from it; nothing, where it neither wraps their calls nor was mounted. */
export function originOf(module: Module): Origin | undefined {
  const { prefix = '', description } = module
  const middleware = ownMiddleware(module)
  if (prefix === '' && middleware.length === 0 && description === undefined) return undefined
  return {
    prefix,
    around: middleware.length === 0 ? undefined : asOne(middleware),
    about: description,
  }
}

/** One middleware in the place of several. */
function asOne(middleware: readonly Middleware[]): Middleware {
  return (call, next) => wrap(middleware, next)(call)
}

/** What wraps the module's own calls. */
export function ownMiddleware({ wraps = 'own', middleware = [] }: Module): readonly Middleware[] {
  return wraps === 'own' ? (middleware as readonly unknown[] as readonly Middleware[]) : [] // The kernel's calls are theirs, and more.
}

/** A server as one of its modules sees it: what the module adds is the module's, by names of its own. */
export function serverFor(origin: Origin | undefined, server: Server): AuthorServer {
  if (origin === undefined) return server
  const { tools, resources, templates, prompts } = server
  return Object.create(server, {
    tools: { value: ownList(tools, origin, origin.prefix) },
    resources: { value: ownList(resources, origin, '') },
    templates: { value: ownList(templates, origin, '') },
    prompts: { value: ownList(prompts, origin, origin.prefix) },
  })
}

type AnyList = Server['tools'] | Server['resources'] | Server['templates'] | Server['prompts']

/** One of its lists, for a module: it adds, finds and removes by its own names, and sees all there is. */
function ownList(list: AnyList, origin: Origin, prefix: string): AuthorServer['tools'] {
  return {
    get size() {
      return list.size
    },
    has: (key, owner) => list.has(`${prefix}${key}`, owner),
    add: (definition, owner) => list.add(definition as never, owner, origin), // It is of the list's own kind.
    remove: (key, owner) => list.remove(`${prefix}${key}`, owner),
    visible: (principal) => list.visible(principal),
    [Symbol.iterator]: () => list[Symbol.iterator](),
  }
}

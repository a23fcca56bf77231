import { defineModule, defineResourceTemplate, defineTool, type Middleware } from 'perigee'

export interface ShelfOptions {
  readonly room: string
  readonly books: readonly string[]
}

/** A module is a value: what it offers, what wraps the calls of that, and what is closed in the end. */
export function shelf({ room, books }: ShelfOptions) {
  const borrowed = new Set<string>()
  const addressOf = (title: string) => `book://${room}/${title}`

  const borrow = defineTool({
    name: 'borrow',
    description: `Borrow a book from the ${room}`,
    input: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    run: ({ title }, call) => {
      if (!books.includes(title)) throw new Error(`There is no ${title} here, but ${books.join(', ')}`)
      if (borrowed.has(title)) throw new Error(`${title} is with somebody else`)
      borrowed.add(title)
      call.server.updated(addressOf(title)) // Whoever has subscribed to it is told.
      return `${title} is yours`
    },
  })

  const book = defineResourceTemplate({
    uriTemplate: addressOf('{title}'),
    name: `book-of-${room}`,
    subscribable: true,
    complete: { title: (begun) => books.filter((title) => title.startsWith(begun)) },
    read: ({ title }) => {
      if (!books.includes(title)) return undefined // There is nothing behind this address.
      return borrowed.has(title) ? 'borrowed' : 'here'
    },
  })

  const counted: Middleware = (call, next) => {
    console.error(`${room}: ${call.method}`)
    return next(call)
  }

  return defineModule({
    name: 'shelf',
    tools: [borrow],
    templates: [book],
    middleware: [counted],
    close: () => borrowed.clear(),
  })
}

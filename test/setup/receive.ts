import type { Incoming, Link, Outgoing, Outlet } from '../../src/kernel/index.ts'

type Reply = Outgoing | undefined

/** What a message is replied, at once where the server replies at once. */
export function receive(link: Link, incoming: Incoming, outlet?: Outlet): Reply | Promise<Reply> {
  let reply: Reply
  let settle = (later: Reply): void => {
    reply = later
  }
  const answered = link.receive(incoming, (one) => settle(one), outlet)
  if (answered) return reply
  return new Promise((resolve) => {
    settle = resolve
  })
}

import { Conversations } from '../console/conversations.ts'
import { messageOf } from '../console/passing.ts'
import { type JsonObject, type Link, type Outgoing, print, type Server } from '../kernel/index.ts'
import { Recorder } from './recorder.ts'

/** Records every conversation of a server that begins from here on, whatever carries it. */
export function recordServer(server: Server, path: string): Recorder {
  const { platform, budgets, watchers, usage } = server
  const recorder = new Recorder(path, {
    maxBytes: budgets.maxRecordingBytes,
    now: () => platform.now(),
    stopped: (message) => server.observe({ kind: 'noted', level: 'error', message }),
  })
  usage.watchAll({ maxRecordingBytes: () => recorder.bytes })
  const conversations = new Conversations(() => true)
  const nameOf = (link: Link) => conversations.of(link, platform.now()).name
  const send = (link: Link, message: Outgoing) =>
    recorder.write(nameOf(link), 'out', JSON.parse(print(message)) as JsonObject) // What is sent is an object.
  watchers.add({
    sent: send,
    received: (link, incoming) => {
      recorder.write(nameOf(link), 'in', messageOf(incoming))
      return (reply) => send(link, reply)
    },
  })
  return recorder
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Change, Listening, Notification } from '../../client/index.ts'
import type { ClientCommand, Talk } from '../client/command.ts'
import { printLog } from '../client/notices.ts'
import { oneLine } from '../client/printable.ts'
import { printChange, printWanted, SeenLists, wantedOf } from '../client/watched.ts'

/** Prints what a server tells, until it is stopped. */
export const watch: ClientCommand = {
  name: 'watch',
  summary: 'prints what any MCP server tells of by itself, changes, logs and progress, until Ctrl-C',
  words: '[URI …]',
  example: 'perigee watch file:///notes.txt -- npx -y some-server',
  settings: {},
  prepare: ({ words, flags }) => {
    return async (talk) => {
      const { client, options } = talk
      talk.hear((notification) => tell(talk, notification))
      if (flags['log'] === undefined && 'logging' in client.capabilities) await client.setLogLevel('info')
      const wanted = wantedOf(client, words)
      const lists = new SeenLists(client, options)
      talk.awaits('tools/list, resources/list or prompts/list')
      await lists.look(wanted)
      talk.awaits('subscriptions')
      let told: Promise<void> = Promise.resolve()
      const listening = await client.listen(wanted, (change) => {
        told = told.then(() => tellChange(talk, change, lists))
      })
      talk.output.note(`watching ${oneLine(talk.serverName, 100)}: ${printWanted(listening.honoured)}`)
      await stay(talk, listening)
      await told
    }
  },
}

/** These are told as changes, in whichever way a revision has for them. */
const CHANGES = /^notifications\/(\w+\/list_changed|resources\/updated|subscriptions\/acknowledged|tasks.*)$/

function tell({ output }: Talk, { method, params }: Notification): void {
  if (CHANGES.test(method)) return
  if (output.json) return output.sayLine({ time: new Date().toISOString(), method, params })
  const said = method === 'notifications/message' ? printLog(params) : `${method} ${JSON.stringify(params)}`
  output.say(`${clock()} ${said}`)
}

async function tellChange({ output }: Talk, change: Change, lists: SeenLists): Promise<void> {
  const isList = change.kind !== 'resource' && change.kind !== 'task'
  try {
    const seen = isList ? await lists.compare(change.kind) : change
    if (output.json) return output.sayLine({ time: new Date().toISOString(), change: seen })
    output.say(`${clock()} ${printChange(seen)}`)
  } catch (error) {
    output.note(`${change.kind} have changed, and cannot be listed: ${oneLine((error as Error).message)}`)
  }
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8)
}

/** How often a server that has nothing to tell is asked whether it is still there. */
const PULSE_MS = 15_000

/** Until it is told to stop, or there is nobody left to listen to. */
async function stay({ client, signal, options }: Talk, { closed }: Listening): Promise<void> {
  const { requests } = client.revision
  const over = new Promise<'over'>((resolve) => client.whenOver(() => resolve('over')))
  const ended = closed.then((error) => {
    if (error !== undefined) throw error
  })
  for (;;) {
    const pulse = sleep(PULSE_MS, 'pulse' as const, { signal })
    const first = await Promise.race([pulse, over, ended])
    if (first === undefined) return
    // Whoever is gone says why to whoever asks.
    if (first === 'over' || requests.includes('ping')) await client.request('ping', {}, options)
  }
}

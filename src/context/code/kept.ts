import type { Call, JsonObject, Questions, ScriptCall } from '../../kernel/index.ts'
import type { AskedOfScript } from './made-call.ts'
import type { MadeCall } from './report.ts'
import type { Scripts } from './scripts.ts'

/** A call of a script that waits for its user. */
export interface WaitingCall extends ScriptCall {
  readonly asked: AskedOfScript
  /** How often it has asked. */
  readonly round: number
}

/** A script that waits for its user, as it is kept. */
export interface KeptScript {
  readonly engine: string
  /** What its sandbox has saved, in base64. */
  readonly image: string
  readonly made: readonly MadeCall[]
  readonly waiting: readonly WaitingCall[]
}

/** What is asked on behalf of a script, by keys of which none comes twice. */
export function questionsOf({ waiting }: Pick<KeptScript, 'waiting'>): Questions {
  return Object.fromEntries(
    waiting.flatMap((one) =>
      Object.entries(keysOf(one)).flatMap(([outer, key]) => {
        const question = one.asked.questions[key]
        return question === undefined ? [] : [[outer, question]]
      }),
    ),
  )
}

/** The keys by which a call's questions are asked, each with the one that its tool knows. */
export function keysOf({ id, round, asked }: WaitingCall): { readonly [outer: string]: string } {
  return Object.fromEntries(Object.keys(asked.questions).map((key) => [`${id}/${round}/${key}`, key]))
}

/** Keeps a script in the store, sealed, for as long as a client may take to come back; gives what finds it. */
export async function keepScript(call: Call, kept: KeptScript, scripts: Scripts): Promise<string> {
  const { platform, settings } = call.server
  const id = platform.randomId()
  const sealed = platform.sealer.seal(JSON.stringify(kept), boundTo(id, call))
  scripts.hold(id, sealed.length, call)
  try {
    await platform.store.put(keyOf(id), sealed, { ttlMs: settings.stateTtlMs })
  } catch (error) {
    scripts.release(id)
    throw error
  }
  return id
}

/** A script that is kept, and how it is taken: only once, since what it did after that is not to be done again. */
export interface FoundScript {
  readonly kept: KeptScript
  take(): Promise<void>
}

export async function findScript(call: Call, scripts: Scripts): Promise<FoundScript> {
  const { platform, settings } = call.server
  const id = String((call.state as JsonObject)['script']) // As `suspend` has it kept.
  const entry = await platform.store.get(keyOf(id))
  const sealed = entry?.value
  if (entry === undefined || typeof sealed !== 'string') throw new Error(sealed === true ? TAKEN : GONE)
  const text = platform.sealer.open(sealed, boundTo(id, call))
  if (text === undefined) throw new Error(GONE)
  return {
    kept: JSON.parse(text),
    take: async () => {
      const options = { ifVersion: entry.version, ttlMs: settings.stateTtlMs }
      if ((await platform.store.put(keyOf(id), true, options)) === undefined) throw new Error(TAKEN)
      scripts.release(id)
    },
  }
}

const GONE = 'The script is no longer kept: it has waited for too long. Run it again'
const TAKEN = 'The script has gone on with an answer already. Run it again if it is to be done twice'

function keyOf(id: string): string {
  return `scripts/${id}`
}

function boundTo(id: string, { owner }: Call): string {
  return `script ${id} of ${owner}`
}

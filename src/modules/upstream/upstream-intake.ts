import { ClientError } from '../../client/index.ts'
import type { Arriving, Intake } from '../../client/intake.ts'
import { Fault, flagOf, type ParseLimits, type Server, tooDeep } from '../../kernel/index.ts'
import { HEAVIEST_LETTER, weighJson } from './weigh-json.ts'

/** So much of a message is read whatever others have sent, so that nobody is kept from saying little. */
const SMALL = 64 * 1024

const [ARRIVING, VALUE] = ['maxUpstreamArrivingBytes', 'maxUpstreamValueBytes'] as const

/** What is arriving from one upstream: few letters can be much, and many servers may say much at once. */
class UpstreamIntake implements Intake {
  readonly parsing: ParseLimits
  readonly #server: Server
  /** Those of which something is arriving. */
  readonly #all: Set<UpstreamIntake>
  readonly #held = new Map<Arriving, number>()
  bytes = 0

  constructor(server: Server, all: Set<UpstreamIntake>) {
    const { maxBatchMessages } = server.budgets
    const any = Number.POSITIVE_INFINITY
    this.parsing = { maxNesting: any, maxBatchMessages, maxIdBytes: any }
    this.#server = server
    this.#all = all
  }

  /** Where there is no room, the upstream of which most is arriving gives way, whoever has come last. */
  hold(reader: Arriving, bytes: number): void {
    this.#set(reader, bytes > SMALL ? bytes : 0)
    while (sumOf(this.#all) > this.#server.budgets[ARRIVING]) mostOf(this.#all, ({ bytes }) => bytes)?.shed()
  }

  shed(): void {
    const [reader] = mostOf(this.#held, ([, bytes]) => bytes) ?? []
    if (reader === undefined) return
    this.#set(reader, 0)
    const what = `Messages of more than ${this.#server.budgets[ARRIVING]} bytes are arriving at once`
    const text = `${what} (--${flagOf(ARRIVING)}), most of them from here: try again later`
    reader.giveWay(new ClientError('too-much', text))
  }

  weigh(text: string): Fault | undefined {
    const { budgets, usage } = this.#server
    usage.saw('maxUpstreamMessageBytes', text.length)
    const limit = budgets[VALUE]
    const most = text.length * HEAVIEST_LETTER
    if (most <= limit) return this.#allow(most, tooDeep(text, budgets.maxNesting))
    const { weight, depth } = weighJson(text, limit)
    if (weight <= limit) return this.#allow(weight, depth > budgets.maxNesting)
    const what = `The server sent a message of ${text.length} characters that would take more than ${limit} bytes`
    return new Fault('rateLimited', `${what} (--${flagOf(VALUE)})`)
  }

  #allow(weight: number, isTooDeep: boolean): Fault | undefined {
    const { budgets, usage } = this.#server
    usage.saw(VALUE, weight)
    if (!isTooDeep) return undefined
    const what = `JSON nested more than ${budgets.maxNesting} levels deep (--max-nesting)`
    return new Fault('invalidRequest', `Invalid request: ${what}`)
  }

  #set(reader: Arriving, bytes: number): void {
    this.bytes += bytes - (this.#held.get(reader) ?? 0)
    if (bytes === 0) this.#held.delete(reader)
    else this.#held.set(reader, bytes)
    if (this.bytes === 0) this.#all.delete(this)
    else this.#all.add(this)
  }
}

function sumOf(all: Iterable<UpstreamIntake>): number {
  let sum = 0
  for (const { bytes } of all) sum += bytes
  return sum
}

/** Of several that are alike, the oldest. */
function mostOf<One>(all: Iterable<One>, bytesOf: (one: One) => number): One | undefined {
  let most: One | undefined
  for (const one of all) if (most === undefined || bytesOf(one) > bytesOf(most)) most = one
  return most
}

const arriving = new WeakMap<object, Set<UpstreamIntake>>()

/** That of another upstream of a server; a module may see that through a face of its own, but its budgets are the same. */
export function intakeFor(server: Server): Intake {
  const known = arriving.get(server.budgets)
  const all = known ?? new Set<UpstreamIntake>()
  if (known === undefined) {
    arriving.set(server.budgets, all)
    server.usage.watch(ARRIVING, () => sumOf(all))
  }
  return new UpstreamIntake(server, all)
}

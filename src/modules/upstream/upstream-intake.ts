import { ClientError } from '../../client/index.ts'
import type { Intake } from '../../client/intake.ts'
import { Fault, flagOf, type Server } from '../../kernel/index.ts'
import { weighJson } from './weigh-json.ts'

/** So much of a message is read whatever others have sent, so that nobody is kept from saying little. */
const SMALL = 64 * 1024

const [ARRIVING, VALUE] = ['maxUpstreamArrivingBytes', 'maxUpstreamValueBytes'] as const

/** What is arriving from all upstreams of a server: few letters can be much, and many servers may say much at once. */
class UpstreamIntake implements Intake {
  readonly #server: Server
  readonly #held = new Map<object, number>()
  #total = 0

  constructor(server: Server) {
    this.#server = server
    server.usage.watch(ARRIVING, () => this.#total)
  }

  hold(reader: object, bytes: number): void {
    const limit = this.#server.budgets[ARRIVING]
    const counted = bytes > SMALL ? bytes : 0
    this.#set(reader, counted)
    if (counted === 0 || this.#total <= limit) return
    this.#set(reader, 0)
    const what = `Messages of more than ${limit} bytes are arriving at once`
    throw new ClientError('too-much', `${what} (--${flagOf(ARRIVING)}): try again later`)
  }

  weigh(text: string): Fault | undefined {
    const { budgets, usage } = this.#server
    usage.saw('maxUpstreamMessageBytes', text.length)
    const limit = budgets[VALUE]
    const weight = weighJson(text, limit)
    if (weight <= limit) {
      usage.saw(VALUE, weight)
      return undefined
    }
    const what = `The server sent a message of ${text.length} characters that would take more than ${limit} bytes`
    return new Fault('rateLimited', `${what} (--${flagOf(VALUE)})`)
  }

  #set(reader: object, bytes: number): void {
    this.#total += bytes - (this.#held.get(reader) ?? 0)
    if (bytes === 0) this.#held.delete(reader)
    else this.#held.set(reader, bytes)
  }
}

const intakes = new WeakMap<object, UpstreamIntake>()

/** The one of a server; a module may see that through a face of its own, but its budgets are the same. */
export function intakeOf(server: Server): Intake {
  const known = intakes.get(server.budgets) ?? new UpstreamIntake(server)
  intakes.set(server.budgets, known)
  return known
}

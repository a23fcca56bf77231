import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestOptions } from '../../client/index.ts'
import { AWAITED, isObject, MISSING } from '../../kernel/index.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'

/** How long a server is left alone that waits for others itself. */
const AGAIN_MS = 200

export interface Awaiting<Item> {
  readonly list: (options: RequestOptions) => Promise<readonly Item[]>
  /** What is looked for, by its name; everything, unless said. */
  readonly wanted?: string | undefined
  /** Told whenever it is not whole yet, with how many servers have not answered. */
  readonly waiting?: ((awaited: number) => void) | undefined
  /** Told why something is not there, for each server of which that is known. */
  readonly missing?: ((reason: string) => void) | undefined
}

/** A list; a server that stands for others and does not know yet what they have is asked again, for as long as one waits for an answer. */
export async function listWhole<Item extends { readonly name: string }>(
  { list, wanted, waiting, missing }: Awaiting<Item>,
  options: RequestOptions,
): Promise<readonly Item[]> {
  const { timeoutMs = 0, signal } = options
  const late = performance.now() + timeoutMs
  for (;;) {
    let awaited = 0
    let absent: unknown
    const onPage = (meta: { readonly [key: string]: unknown }) => {
      awaited = Number(meta[AWAITED] ?? 0)
      absent = meta[MISSING]
    }
    const listed = await list({ ...options, onPage })
    if (listed.some(({ name }) => name === wanted)) return listed
    const isWhole = !(awaited > 0)
    const reasons = Object.entries(isObject(absent) ? absent : {}).filter(
      ([server]) => isWhole || wanted?.startsWith(`${server}_`), // Whose it is will not be there, whoever else is awaited.
    )
    for (const [, reason] of reasons) missing?.(String(reason))
    if (isWhole || reasons.length > 0) return listed
    if (performance.now() > late) return wanted === undefined ? listed : fail(wanted, timeoutMs)
    waiting?.(awaited)
    await sleep(AGAIN_MS, undefined, { signal })
  }
}

function fail(wanted: string, timeoutMs: number): never {
  throw new CommandError(
    EXIT_CODES.late.code,
    `${wanted} is not there after ${timeoutMs / 1000} s, and some of the servers behind this one have not answered yet; --timeout SECONDS gives them longer`,
  )
}

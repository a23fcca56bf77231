import type { AuthorCall as Call } from '../../kernel/index.ts'
import type { Folder } from './folder.ts'

/** Walks when there is room: so many walks may be under way at once. */
export function inWalks<T>({ walks }: Folder, call: Call | undefined, work: () => Promise<T>): Promise<T> {
  if (call === undefined) return work() // Where nobody calls, nothing is bounded.
  const { budgets, usage } = call.server
  const counted = () => {
    usage.saw('maxFileWalks', walks.inside)
    return work()
  }
  return walks.pass(budgets.maxFileWalks, counted, call.signal)
}

/** Ends a walk that nobody waits for any more. */
export function checkWanted(call: Pick<Call, 'aborted'> | undefined): void {
  if (call?.aborted === true) throw new Error('The call was cancelled')
}

import type { AuthorCall as Call } from '../../kernel/index.ts'
import { whenRoom } from '../../process/gate.ts'
import type { Folder } from './folder.ts'

/** Walks when there is room: so many walks may be under way at once. */
export function inWalks<T>({ walks }: Folder, call: Call | undefined, work: () => Promise<T>): Promise<T> {
  return whenRoom(walks, { call, budget: 'maxFileWalks', each: 1 }, work)
}

/** Ends a walk that nobody waits for any more. */
export function checkWanted(call: Pick<Call, 'aborted'> | undefined): void {
  if (call?.aborted === true) throw new Error('The call was cancelled')
}

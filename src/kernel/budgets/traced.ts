/** What has come of other nodes that share the store; it only grows. */
export interface Traced {
  /** Sessions that went on here by their record. */
  adopted: number
  /** Events that were told by their log. */
  replayed: number
  /** Calls that were answered for a node that is gone. */
  lost: number
}

export function createTraced(): Traced {
  return { adopted: 0, replayed: 0, lost: 0 }
}

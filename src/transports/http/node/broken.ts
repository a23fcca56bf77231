import type { ServerResponse } from 'node:http'

/** Calls `run` when the client leaves before it has been answered in full. */
export function whenBroken(response: ServerResponse, run: () => void): void {
  if (response.destroyed && !response.writableFinished) return queueMicrotask(run)
  response.once('close', () => {
    if (!response.writableFinished) run()
  })
}

/** Older Nodes say of an answer that has to wait for another one nothing when its client leaves; newer ones do by then. */
export function endUnsent(response: ServerResponse): void {
  setImmediate(() => {
    if (response.socket !== null || response.closed || response.writableFinished) return
    response.destroy()
    response.emit('close')
  })
}

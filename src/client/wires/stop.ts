/** As much of an `AbortSignal` as is asked of one here. */
export interface StopSignal extends Pick<AbortSignal, 'aborted' | 'reason' | 'throwIfAborted'> {
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** By which something is called off; to make an `AbortController` takes longer than to send a request. */
export class Stop implements StopSignal {
  #listeners: (() => void)[] = []
  aborted = false
  reason: unknown

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.#listeners.splice(0)) listener()
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at !== -1) this.#listeners.splice(at, 1)
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
}

/**
 * Has a controller abort with any of these signals, until the function given back is called: what lives longer than what
 * is called off must not remember it, as it would for ever with `AbortSignal.any` on Node 20.
 */
export function follow(controller: AbortController, ...signals: (StopSignal | undefined)[]): () => void {
  const abort = () => controller.abort(signals.find((signal) => signal?.aborted)?.reason)
  for (const signal of signals) {
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  }
  return () => {
    for (const signal of signals) signal?.removeEventListener('abort', abort)
  }
}

/** The same for those who want a real one. */
export function toAbortSignal(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  return controller.signal
}

import type { Call, Handler, Result } from '../../kernel/index.ts'

/** Whoever wants to know how a call has come out; one of the three is called, once. */
export interface CallFollower {
  succeeded(result: Result): void
  failed(error: unknown): void
  /** Nobody waits for it any more, and it need not come to an end at all. */
  cancelled(): void
}

/** Runs a call, and tells how it has come out. */
export function followCall(call: Call, next: Handler, follower: CallFollower): Result | Promise<Result> {
  let result: Result | Promise<Result>
  try {
    result = next(call)
  } catch (error) {
    follower.failed(error)
    throw error
  }
  if (result instanceof Promise) return followLater(call, result, follower)
  follower.succeeded(result)
  return result
}

function followLater(call: Call, result: Promise<Result>, follower: CallFollower): Promise<Result> {
  let isOver = false
  const once = (tell: () => void) => {
    if (!isOver) tell()
    isOver = true
  }
  call.whenCancelled(() => once(() => follower.cancelled()))
  return result.then(
    (later) => {
      once(() => follower.succeeded(later))
      return later
    },
    (error: unknown) => {
      once(() => follower.failed(error))
      throw error
    },
  )
}

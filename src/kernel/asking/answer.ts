import type { Call } from '../calls/call.ts'
import { type Answered, type Author, answerAgain, promised, settle } from './index.ts'
import { Needs } from './needs.ts'

/** Runs an author's function, gets it the answers it needs in the way of the caller's revision, and reports its output. */
export function answer<Offer>(call: Call, author: Author<Offer>): Answered {
  if (call.peer.revision.asking === 'retry' && call.params !== undefined) {
    if ('requestState' in call.params || 'inputResponses' in call.params) return answerAgain(call, author)
  }
  const output = author.run()
  return typeof output === 'object' && output !== null
    ? conclude(output, call, author)
    : author.report(author.offer, output, call)
}

/** Query builders and other libraries' promises are waited for like our own. */
function conclude<Offer>(output: object, call: Call, author: Author<Offer>): Answered {
  const end = (settled: unknown) =>
    settled instanceof Needs ? settle(settled, call, author) : author.report(author.offer, settled, call)
  return 'then' in output && typeof output.then === 'function'
    ? promised(output, call).then(end)
    : end(output)
}

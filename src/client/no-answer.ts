import type { Fault, Id, WireError } from '../kernel/index.ts'
import { ClientError } from './errors.ts'

/** What a request is told whose answer could not be taken. */
export function noAnswer(
  { id, method }: { readonly id: Id; readonly method: string },
  { fault, message }: Fault,
  isResponse: boolean,
): ClientError {
  if (fault === 'rateLimited') return new ClientError('too-much', message)
  const wrong = isResponse ? message.replace('Invalid request: ', '') : 'it has neither a result nor an error'
  return new ClientError(
    'nonsense',
    `The server answered ${method} with what is no answer: ${wrong}; expected {"jsonrpc":"2.0","id":${id},"result":{…}}`,
  )
}

/** What is told of something that nobody waits for: an error that names no request, or what is no message at all. */
export function noMessage(error: WireError | undefined, { message }: Fault): ClientError {
  const said = error === undefined ? message : `an error without the id of a request: ${error.message}`
  return new ClientError('nonsense', `The server sent what is no message: ${said}`)
}

/** That a stream is not kept, which is told once. */
export function brokenOff(times: number, cause: Error | undefined): ClientError {
  const text = `The stream of the session broke off ${times + 1} times in a row, and is come back to less and less often`
  return new ClientError('lost', text, { cause })
}

import type { Fault, Id } from '../kernel/index.ts'
import { ClientError } from './errors.ts'

/** What a request is told whose answer could not be taken. */
export function noAnswer(
  { id, method }: { readonly id: Id; readonly method: string },
  { message }: Fault,
  isResponse: boolean,
): ClientError {
  const wrong = isResponse ? message.replace('Invalid request: ', '') : 'it has neither a result nor an error'
  return new ClientError(
    'nonsense',
    `The server answered ${method} with what is no answer: ${wrong}; expected {"jsonrpc":"2.0","id":${id},"result":{…}}`,
  )
}

import { isObject, type ResultOf } from '../../kernel/index.ts'
import { openedFor } from '../fit/opened.ts'

/** Whether data fits what is listed, which is what a client checks by. */
export async function isPromised(value: unknown, { tool, call }: ResultOf): Promise<boolean> {
  const { outputSchema } = tool.listed
  if (!isObject(outputSchema)) return true
  const { platform, settings } = call.server
  const schema = settings.fit === 'host' ? openedFor(call.peer.info, outputSchema) : outputSchema
  try {
    return 'value' in (await platform.validator.shape(schema, 'output').read(value))
  } catch {
    return true // A schema of another server that we cannot read is its client's to judge.
  }
}

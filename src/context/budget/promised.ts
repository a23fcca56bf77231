import { isObject, type ResultOf } from '../../kernel/index.ts'

/** Whether data fits what is listed, which is what a client checks by. */
export async function isPromised(value: unknown, { tool, call }: ResultOf): Promise<boolean> {
  const { outputSchema } = tool.listed
  if (!isObject(outputSchema)) return true
  const { validator } = call.server.platform
  try {
    return 'value' in (await validator.shape(outputSchema, 'output').read(value))
  } catch {
    return true // A schema of another server that we cannot read is its client's to judge.
  }
}

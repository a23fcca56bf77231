import { DatabaseError } from '../../databases/database.ts'
import { Fault } from '../../kernel/index.ts'

/** What a tool throws is told to whoever called it; this tells readers of resources and prompts as much. */
export async function telling<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof DatabaseError ? new Fault('internalError', error.message) : error
  }
}

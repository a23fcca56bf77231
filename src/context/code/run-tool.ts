import type { Call } from '../../kernel/index.ts'
import { findScript, questionsOf } from './kept.ts'
import { reportFailure } from './report.ts'
import { Script } from './script.ts'
import type { Scripts } from './scripts.ts'

/** Runs a script, or goes on with one whose user has been asked. */
export async function runScript(code: string, call: Call, scripts: Scripts): Promise<unknown> {
  const sandbox = await scripts.sandbox(call.server)
  if (call.state === undefined) return new Script({ call, sandbox, scripts }).begin(code)
  const { kept, take } = await findScript(call, scripts)
  const asked = call.ask(questionsOf(kept))
  if (asked !== call.answers) return asked // Some are not answered yet.
  await take()
  if (kept.engine !== sandbox.engine)
    return reportFailure(otherEngine(kept.engine, sandbox.engine), kept.made)
  return new Script({ call, sandbox, scripts, kept }).resume(kept)
}

function otherEngine(was: string, is: string): string {
  return `It was begun in ${was}, and can not go on in ${is}`
}

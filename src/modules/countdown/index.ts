import { setTimeout as sleep } from 'node:timers/promises'
import { defineModule, defineTool, type Module } from '../../authoring/define.ts'

const MAX_SECONDS = 3600

const count = defineTool({
  name: 'countdown',
  title: 'Countdown',
  description: 'Count down second by second, reporting progress; can be cancelled',
  input: {
    type: 'object',
    properties: {
      seconds: { type: 'integer', minimum: 0, maximum: MAX_SECONDS, description: 'From where to count down' },
    },
    required: ['seconds'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  scopes: ['countdown'],
  run: async ({ seconds }, call) => {
    for (let passed = 0; passed < seconds; passed++) {
      call.progress(passed, seconds, `${seconds - passed} to go`)
      await sleep(1000, undefined, { signal: call.signal })
    }
    call.progress(seconds, seconds, 'Liftoff')
    return `Counted down from ${seconds}`
  },
})

/**
 * Something that takes time, to see progress and cancellation with.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [countdown()] })
 */
export function countdown(): Module {
  return defineModule({ name: 'countdown', tools: [count] })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { defineServer, defineTool } from 'perigee'

const render = defineTool({
  name: 'render',
  description: 'Renders a film, which takes a while',
  input: { type: 'object', properties: { frames: { type: 'integer', minimum: 1 } }, required: ['frames'] },
  task: 'optional', // The one word: a client that knows tasks need not wait.
  run: async ({ frames }, call) => {
    for (let frame = 1; frame <= frames; frame++) {
      await sleep(20, undefined, { signal: call.signal }) // Stops when the task is cancelled.
      call.progress(frame, frames)
    }
    return `A film of ${frames} frames`
  },
})

export default defineServer({ name: 'studio', version: '1.0.0', tools: [render] })

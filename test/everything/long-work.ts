import { defineModule, defineTool, type ToolDefinition } from '../../src/index.ts'
import { fail } from './plain-tools.ts'
import { askName } from './questions.ts'

/** Tools whose calls may become tasks, which shows in all that a server says of itself. */
export const longTools: readonly ToolDefinition[] = [
  defineTool({
    name: 'long-wait',
    description: 'Waits until it is cancelled',
    task: 'optional',
    run: (_args, { signal }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => resolve('nobody hears this'))
      }),
  }),
  { name: 'long-note', description: 'Is done at once, also as a task', task: 'optional', run: () => 'noted' },
  { ...askName, name: 'long-form', task: 'required' },
  { ...fail, name: 'long-fail', task: 'required' },
]

/** The same from the beginning. */
export const longWork = defineModule({ name: 'long-work', tools: longTools })

import { useState } from 'preact/hooks'
import type { Client } from '../../src/client/client.ts'
import type { Tool } from '../../src/client/results.ts'
import { toField } from '../model/field.ts'
import { initialOf } from '../model/filling.ts'
import { isRecord } from '../model/json.ts'
import { call, type Target } from '../state/calls.ts'
import { compareAll } from '../state/comparison.ts'
import { drafts } from '../state/selection.ts'
import { hello, serverState, talk } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { History } from './history.tsx'
import { JsonTree } from './json-tree.tsx'
import { OfferHead } from './offer-head.tsx'
import { SchemaForm } from './schema-form.tsx'

/** A tool: what it is, a form for its arguments, and what it gave. */
export function ToolView({ tool }: { readonly tool: Tool }) {
  const draft = `tool ${tool.name}`
  const [args, fill] = useState<unknown>(
    () => drafts.get(draft) ?? initialOf(toField(tool.inputSchema)) ?? {},
  )
  const { client } = useStore(talk)
  const greeting = useStore(hello)
  const { taskTools = [] } = useStore(serverState)
  const change = (next: unknown) => {
    drafts.set(draft, next)
    fill(next)
  }
  const target = (value: unknown) =>
    ({ kind: 'tool', name: tool.name, args: isRecord(value) ? value : {} }) as const
  return (
    <>
      <OfferHead what="Tool" offer={tool} marks={marksOf(tool)} />
      <section class="card" aria-label="Arguments">
        <SchemaForm
          schema={tool.inputSchema}
          value={args}
          change={change}
          label={`Call ${tool.name}`}
          submit={(value, way) => (WAYS[way] ?? call)(target(value))}
        >
          <button type="submit" class="primary" disabled={client === undefined}>
            Call <kbd>Ctrl ↵</kbd>
          </button>
          {client !== undefined && canBeTask(tool, client.revision.tasks, taskTools) && (
            <button type="submit" value="task">
              As a task
            </button>
          )}
          <button type="submit" value="comparison" disabled={client === undefined}>
            In all {greeting?.revisions.length ?? 5} revisions
          </button>
        </SchemaForm>
        {tool.outputSchema !== undefined && (
          <details class="log">
            <summary>What it answers with</summary>
            <JsonTree value={tool.outputSchema} open={3} />
          </details>
        )}
      </section>
      <History only={{ kind: 'tool', name: tool.name }} />
    </>
  )
}

/** What the buttons beside the first do. */
const WAYS: { readonly [way: string]: (target: Target) => void } = {
  task: (target) => call(target, { asTask: true }),
  comparison: (target) => void compareAll(target),
}

const MARKS = {
  readOnlyHint: 'reads only',
  destructiveHint: 'may destroy',
  idempotentHint: 'may be repeated',
  openWorldHint: 'reaches outside',
} as const

function marksOf({ annotations = {} }: Tool): readonly string[] {
  return Object.entries(MARKS)
    .filter(([hint]) => (annotations as { [hint: string]: unknown })[hint] === true)
    .map(([, words]) => words)
}

/** With the extension a list of tools does not tell, and who serves the page does. */
function canBeTask(
  { name, execution }: Tool,
  way: Client['revision']['tasks'],
  taskTools: readonly string[],
): boolean {
  const support = isRecord(execution) ? execution['taskSupport'] : undefined
  if (way === 'core') return support === 'optional' || support === 'required'
  return way !== 'none' && taskTools.includes(name)
}

import type { ComponentChildren } from 'preact'
import { cut } from '../model/text.ts'
import { calls, cancel } from '../state/calls.ts'
import { HOME, select } from '../state/selection.ts'
import { serverState } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { forgetTask, isUnderWay, tasks } from '../state/tasks.ts'
import { CallCard } from './call-card.tsx'
import { Plain } from './plain.tsx'

export function Facts({
  what,
  name,
  facts,
  children,
}: {
  readonly what: string
  readonly name: string
  readonly facts: readonly (readonly [string, string | undefined])[]
  readonly children?: ComponentChildren
}) {
  return (
    <>
      <header class="offer-head">
        <p class="eyebrow">{what}</p>
        <h1>
          <Plain text={cut(name, 160)} />
        </h1>
      </header>
      <dl class="card facts">
        {facts
          .filter(([, value]) => value !== undefined)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Plain text={cut(value ?? '', 500)} />
              </dd>
            </div>
          ))}
      </dl>
      {children}
    </>
  )
}

export function when(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toLocaleString()
}

export function SessionView({ id }: { readonly id: string }) {
  const found = useStore(serverState).sessions.find((one) => one.id === id)
  if (found === undefined) return <Gone what="Session" />
  const { revision, client, principal, openedAt, seenAt, busy } = found
  return (
    <Facts
      what="Session"
      name={client?.name ?? id}
      facts={[
        ['id', id],
        ['revision', revision],
        ['client', client === undefined ? undefined : `${client.name} ${client.version}`],
        ['who', principal],
        ['opened', when(openedAt)],
        ['last heard of', when(seenAt)],
        ['state', busy ? 'busy' : 'idle'],
      ]}
    />
  )
}

export function NodeView({ id }: { readonly id: string }) {
  const found = useStore(serverState).nodes.find((one) => one.id === id)
  if (found === undefined) return <Gone what="Node" />
  return (
    <Facts
      what="Node"
      name={id}
      facts={[
        ['state', found.self ? 'the one you are connected to' : 'alive'],
        ['since', when(found.since)],
        ['calls at work', found.calls?.toString()],
        ['sessions in use', found.sessions?.toString()],
        ['trouble', found.trouble],
      ]}
    />
  )
}

export function TaskView({ id }: { readonly id: string }) {
  const task = useStore(tasks).find((one) => one.taskId === id)
  const call = useStore(calls).find((one) => one.taskId === id)
  if (task === undefined) return <Gone what="Task" />
  return (
    <Facts
      what="Task"
      name={task.tool}
      facts={[
        ['id', task.taskId],
        ['state', task.status.replace('_', ' ')],
        ['says', task.statusMessage],
        ['begun', when(task.startedAt)],
        ['revision', task.revision],
      ]}
    >
      <p class="buttons">
        {call !== undefined && isUnderWay(task) && (
          <button type="button" onClick={() => cancel(call.id)}>
            Cancel the task
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            forgetTask(id)
            select(HOME)
          }}
        >
          Forget it here
        </button>
      </p>
      {call !== undefined && <CallCard call={call} named={false} />}
    </Facts>
  )
}

export function Gone({ what }: { readonly what: string }) {
  return (
    <header class="offer-head">
      <p class="eyebrow">{what}</p>
      <h1>It is not there any more</h1>
      <p class="quiet">Choose something else on the left.</p>
    </header>
  )
}

import { clockTime, cut, duration } from '../model/text.ts'
import { type Call, cancel } from '../state/calls.ts'
import { JsonTree } from './json-tree.tsx'
import { Long, Plain } from './plain.tsx'
import { Result } from './result.tsx'

const WORDS: { readonly [state in Call['state']]: string } = {
  waiting: 'waiting for room',
  running: 'under way',
  done: 'answered',
  failed: 'failed',
  cancelled: 'cancelled',
}

interface CardProps {
  readonly call: Call
  /** Whether it says what was called, because others are shown beside it. */
  readonly named: boolean
  readonly again?: () => void
}

/** One call: how it stands, how far it has come, what it gave. */
export function CallCard({ call, named, again }: CardProps) {
  const isOver = call.state !== 'running' && call.state !== 'waiting'
  const isError = call.result?.['isError'] === true
  const words = isError ? 'answered with an error' : WORDS[call.state]
  return (
    <article class={`card call ${call.state}`} aria-label={`${call.target.name}, ${words}`}>
      <header>
        <span class={`dot ${isError ? 'failed' : call.state}`} aria-hidden="true" />
        <strong>{named ? <Plain text={cut(call.target.name, 80)} /> : words}</strong>
        {named && <span class="quiet">{words}</span>}
        {call.ms !== undefined && <span class="quiet">{duration(call.ms)}</span>}
        <span class="quiet">{clockTime(call.startedAt).slice(0, 8)}</span>
        <span class="chip">{call.revision}</span>
        {call.taskId !== undefined && <span class="chip">task</span>}
        <span class="spring" />
        {!isOver && (
          <button type="button" class="small" onClick={() => cancel(call.id)}>
            Cancel
          </button>
        )}
        {isOver && again !== undefined && (
          <button type="button" class="small" onClick={again}>
            Again
          </button>
        )}
      </header>
      {'args' in call.target && Object.keys(call.target.args).length > 0 && (
        <p class="given">
          <Plain text={cut(JSON.stringify(call.target.args), 400)} />
        </p>
      )}
      {!isOver && <ProgressBar call={call} />}
      {call.log.length > 0 && <Log log={call.log} />}
      {call.error !== undefined && <Failure error={call.error} />}
      {call.result !== undefined && <Result call={call} />}
    </article>
  )
}

function ProgressBar({ call: { progress, target } }: { readonly call: Call }) {
  const share = progress?.total === undefined ? undefined : Math.min(1, progress.progress / progress.total)
  return (
    <div class="progress">
      <progress
        aria-label={`Progress of ${target.name}`}
        {...(share !== undefined && { value: share, max: 1 })}
      />
      {progress !== undefined && (
        <span class="quiet">
          {progress.progress}
          {progress.total !== undefined && ` of ${progress.total}`}{' '}
          {progress.message !== undefined && <Plain text={cut(progress.message, 300)} />}
        </span>
      )}
    </div>
  )
}

function Log({ log }: { readonly log: readonly unknown[] }) {
  return (
    <details class="log">
      <summary>Log ({log.length})</summary>
      <JsonTree value={log} open={2} />
    </details>
  )
}

function Failure({ error: { message, code, data } }: { readonly error: NonNullable<Call['error']> }) {
  return (
    <div class="failure" role="alert">
      <p>
        {code !== undefined && <span class="chip">{code}</span>} <Long text={message} />
      </p>
      {data !== undefined && <JsonTree value={data} />}
    </div>
  )
}

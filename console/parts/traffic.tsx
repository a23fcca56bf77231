import { useEffect, useRef, useState } from 'preact/hooks'
import { firstVisible, ROW_HEIGHT } from '../model/rows.ts'
import { clockTime, cut, duration, short, showUnseen } from '../model/text.ts'
import {
  EVERYTHING,
  hasFailed,
  type KeptMessage,
  kindOf,
  type MessageFilter,
  nameOf,
} from '../state/messages.ts'
import { messages } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { Charts } from './charts.tsx'
import { Choose } from './choose.tsx'
import { ExportButton } from './export-button.tsx'
import { JsonTree } from './json-tree.tsx'
import { SearchField } from './search-field.tsx'

/** Every message of every connection, as it passes. */
export function Traffic() {
  const view = useStore(messages.view)
  const [filter, setFilter] = useState(EVERYTHING)
  const [chosen, choose] = useState<KeptMessage>()
  const change = (part: Partial<MessageFilter>) => {
    const next = { ...filter, ...part }
    setFilter(next)
    messages.filter(next)
  }
  return (
    <section class="traffic" aria-label="Messages">
      <Charts />
      <div class="filter">
        <SearchField
          id="message-filter"
          label="Filter messages"
          hint="Filter messages  m"
          value={filter.text}
          change={(text) => change({ text })}
        />
        <Choose
          label="Kind"
          value={filter.kind}
          change={(kind) => change({ kind: kind as MessageFilter['kind'] })} // One of these.
          options={KINDS}
        />
        <Choose
          label="Connection"
          value={filter.connection}
          change={(connection) => change({ connection })}
          options={[['', 'everybody'], ...view.connections.map((one) => [one, cut(one, 40)] as const)]}
        />
      </div>
      <p class="counts quiet">
        <span>
          {short(view.shown.length)}
          {view.shown.length !== view.total && ` of ${short(view.total)}`} messages
          {view.missing > 0 && `, ${short(view.missing)} older ones gone`}
        </span>
        <ExportButton />
        <button
          type="button"
          class="small"
          onClick={() => {
            messages.clear()
            choose(undefined)
          }}
        >
          Clear
        </button>
      </p>
      <Rows shown={view.shown} chosen={chosen} choose={choose} />
      {chosen !== undefined && <Detail message={chosen} close={() => choose(undefined)} />}
    </section>
  )
}

const KINDS = [
  ['all', 'all'],
  ['request', 'requests'],
  ['response', 'results'],
  ['notice', 'notices'],
  ['error', 'errors'],
] as const

interface RowsProps {
  readonly shown: readonly KeptMessage[]
  readonly chosen: KeptMessage | undefined
  readonly choose: (message: KeptMessage | undefined) => void
}

/** As many rows as can be seen, whatever their number; it follows the newest until somebody scrolls up. */
function Rows({ shown, chosen, choose }: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [{ top, height }, look] = useState({ top: 0, height: 600 })
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => look({ top: element.scrollTop, height: element.clientHeight })
    const watcher = new ResizeObserver(measure)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  useEffect(() => {
    if (follows.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [shown])
  const { from, to } = firstVisible({ top, height, count: shown.length })
  const at = chosen === undefined ? -1 : shown.indexOf(chosen)
  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      tabIndex={0}
      aria-label="Messages, the newest last"
      aria-activedescendant={at >= from && at < to ? `message-${chosen?.seq}` : undefined}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        follows.current = scrollTop + clientHeight >= scrollHeight - ROW_HEIGHT
        look({ top: scrollTop, height: clientHeight })
      }}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
        if (event.key === 'Escape') return choose(undefined)
        if (step === undefined || shown.length === 0) return
        event.preventDefault()
        const next = Math.max(0, Math.min(shown.length - 1, at < 0 ? shown.length - 1 : at + step))
        choose(shown[next])
        reveal(event.currentTarget, next)
      }}
    >
      <div class="rows-space" style={{ height: `${shown.length * ROW_HEIGHT}px` }}>
        {shown.slice(from, to).map((message, index) => (
          <Row
            key={message.seq}
            message={message}
            at={from + index}
            count={shown.length}
            isChosen={message === chosen}
            choose={choose}
          />
        ))}
      </div>
    </div>
  )
}

function reveal(box: HTMLElement, at: number): void {
  const top = at * ROW_HEIGHT
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + ROW_HEIGHT > box.scrollTop + box.clientHeight)
    box.scrollTop = top + ROW_HEIGHT - box.clientHeight
}

/** A result is known by what it answers. */
function titleOf({ message, answers }: KeptMessage): string {
  const name = nameOf(message)
  return answers === undefined || kindOf(message) === 'error'
    ? name
    : `${answers}${name === 'result' || name === 'result: complete' ? '' : `, ${name}`}`
}

interface RowProps {
  readonly message: KeptMessage
  readonly at: number
  readonly count: number
  readonly isChosen: boolean
  readonly choose: RowsProps['choose']
}

function Row({ message, at, count, isChosen, choose }: RowProps) {
  const kind = hasFailed(message.message) ? 'error' : kindOf(message.message)
  return (
    <div
      id={`message-${message.seq}`}
      class={`row ${message.direction} ${kind}`}
      role="option"
      aria-selected={isChosen}
      aria-setsize={count}
      aria-posinset={at + 1}
      style={{ transform: `translateY(${at * ROW_HEIGHT}px)` }}
      onClick={() => choose(isChosen ? undefined : message)}
    >
      <span class="arrow" aria-hidden="true">
        {message.direction === 'in' ? '→' : '←'}
      </span>
      <span class="hidden">{message.direction === 'in' ? 'in' : 'out'}</span>
      <span class="row-name">{showUnseen(cut(titleOf(message), 90))}</span>
      <span class="row-time">
        {message.ms === undefined ? clockTime(message.time).slice(0, 8) : duration(message.ms)}
      </span>
    </div>
  )
}

function Detail({ message, close }: { readonly message: KeptMessage; readonly close: () => void }) {
  const { seq, time, connection, transport, direction, revision, bytes, ms } = message
  return (
    <section class="detail" aria-label={`Message ${seq}`}>
      <header>
        <strong>
          {direction === 'in' ? 'To' : 'From'} the server, {clockTime(time)}
        </strong>
        <button type="button" class="small" onClick={close} aria-label="Close the message">
          ×
        </button>
      </header>
      <p class="quiet">
        {showUnseen(cut(connection, 60))} · {showUnseen(cut(transport, 20))} · {revision ?? 'no revision yet'}{' '}
        · {short(bytes)} bytes
        {ms !== undefined && ` · ${duration(ms)}`} · ≈ {short(Math.ceil(bytes / 3.6))} tokens
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label="The message">
        <JsonTree value={message.message} open={4} />
      </div>
    </section>
  )
}

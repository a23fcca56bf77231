import { useState } from 'preact/hooks'
import { membersOf, summarize } from '../model/json.ts'
import { Long, Plain } from './plain.tsx'

const FIRST_MEMBERS = 100

interface TreeProps {
  readonly value: unknown
  /** How many levels are open at first. */
  readonly open?: number
}

/** A JSON value as a tree, made only as far as it is opened. */
export function JsonTree({ value, open = 2 }: TreeProps) {
  const members = membersOf(value)
  return (
    <div class="tree">
      {members.length === 0 ? <Leaf value={value} /> : <Members members={members} open={open} />}
    </div>
  )
}

function Members({
  members,
  open,
}: {
  readonly members: readonly (readonly [string, unknown])[]
  readonly open: number
}) {
  const [count, show] = useState(FIRST_MEMBERS)
  return (
    <ul>
      {members.slice(0, count).map(([name, value]) => (
        <li key={name}>
          <Member name={name} value={value} open={open - 1} />
        </li>
      ))}
      {members.length > count && (
        <li>
          <button type="button" class="more" onClick={() => show(count * 10)}>
            Show more <small>({members.length - count} left)</small>
          </button>
        </li>
      )}
    </ul>
  )
}

function Member({
  name,
  value,
  open,
}: {
  readonly name: string
  readonly value: unknown
  readonly open: number
}) {
  const members = membersOf(value)
  const [isOpen, toggle] = useState(open > 0)
  const label = (
    <span class="name">
      <Plain text={name} />
    </span>
  )
  if (members.length === 0)
    return (
      <>
        {label} <Leaf value={value} />
      </>
    )
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>
        {label} <span class="count">{summarize(value)}</span>
      </summary>
      {isOpen && <Members members={members} open={open} />}
    </details>
  )
}

function Leaf({ value }: { readonly value: unknown }) {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'object' : typeof value
  return (
    <span class={`leaf ${kind}`}>{typeof value === 'string' ? <Long text={value} /> : summarize(value)}</span>
  )
}

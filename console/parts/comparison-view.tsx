import { useMemo, useState } from 'preact/hooks'
import { compare, excerpts } from '../model/diff.ts'
import { cut, duration } from '../model/text.ts'
import { type Comparison, type Conversation, compareAll, comparison } from '../state/comparison.ts'
import { nameOf } from '../state/messages.ts'
import { useStore } from '../state/store.ts'
import type { WireEntry } from '../state/wires.ts'
import { JsonTree } from './json-tree.tsx'
import { Plain } from './plain.tsx'

/** The same call in every revision, side by side. */
export function ComparisonView() {
  const found = useStore(comparison)
  if (found === undefined)
    return (
      <header class="offer-head">
        <p class="eyebrow">Comparison</p>
        <h1>Nothing to compare yet</h1>
        <p class="quiet">Choose a tool and call it “in all revisions”.</p>
      </header>
    )
  return <Side comparison={found} />
}

function Side({ comparison: { target, conversations } }: { readonly comparison: Comparison }) {
  return (
    <>
      <header class="offer-head">
        <p class="eyebrow">The same call in {conversations.length} revisions</p>
        <h1>
          <Plain text={cut(target.name, 160)} />
        </h1>
        {'args' in target && Object.keys(target.args).length > 0 && (
          <p class="given">
            <Plain text={cut(JSON.stringify(target.args), 400)} />
          </p>
        )}
        <p class="buttons">
          <button type="button" class="primary" onClick={() => void compareAll({ ...target })}>
            Again
          </button>
        </p>
      </header>
      <Outcomes conversations={conversations} />
      <section class="conversations" aria-label="What was said">
        <h2>What was said</h2>
        <div class="columns" tabIndex={0} role="group" aria-label="Conversations by revision">
          {conversations.map((one) => (
            <Column key={one.revision} conversation={one} />
          ))}
        </div>
      </section>
    </>
  )
}

/** More would be read by nobody. */
const MOST_ROWS = 400

/** A row for each place in the results; what differs from the newest revision's is marked. */
function Outcomes({ conversations }: { readonly conversations: readonly Conversation[] }) {
  const [onlyDifferences, setOnly] = useState(false)
  const outcomes = conversations.map(({ outcome }) => outcome)
  const rows = useMemo(() => compare(outcomes), [JSON.stringify(outcomes)])
  const differing = rows.filter((row) => row.differs).length
  const wanted = onlyDifferences ? rows.filter((row) => row.differs) : rows
  const shown = wanted.slice(0, MOST_ROWS)
  return (
    <section class="card" aria-label="Results compared">
      <div class="ways">
        <button type="button" aria-pressed={!onlyDifferences} onClick={() => setOnly(false)}>
          All
        </button>
        <button type="button" aria-pressed={onlyDifferences} onClick={() => setOnly(true)}>
          Differences ({differing})
        </button>
      </div>
      <div class="scroll" tabIndex={0} role="group" aria-label="Results by revision">
        <table class="compare">
          <thead>
            <tr>
              <th scope="col">Place</th>
              {conversations.map((one) => (
                <th key={one.revision} scope="col">
                  <span class={`dot ${one.state}`} aria-hidden="true" /> {one.revision}
                  <small class="quiet"> {one.ms === undefined ? one.state : duration(one.ms)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ path, cells }) => (
              <tr key={path}>
                <th scope="row">
                  <Plain text={cut(path, 200)} />
                </th>
                {excerpts(cells).map((text, at) => (
                  <td key={at} class={cells[at]?.differs ? 'differs' : ''}>
                    {text === undefined ? <span class="quiet">–</span> : <Plain text={text} />}
                    {cells[at]?.differs && <span class="hidden"> (differs)</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {wanted.length > shown.length && <p class="quiet">… and {wanted.length - shown.length} places more</p>}
    </section>
  )
}

function Column({ conversation: { revision, wire } }: { readonly conversation: Conversation }) {
  return (
    <section class="column" aria-label={revision}>
      <h3>{revision}</h3>
      <ol>
        {wire.map((entry, at) => (
          <li key={at}>
            <Said entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Said({ entry: { sent, message } }: { readonly entry: WireEntry }) {
  const [isOpen, open] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>
        <span class={sent ? 'arrow in' : 'arrow out'} aria-hidden="true">
          {sent ? '→' : '←'}
        </span>
        <span class="hidden">{sent ? 'to the server' : 'from the server'} </span>
        <Plain text={cut(nameOf(message), 80)} />
      </summary>
      {isOpen && <JsonTree value={message} open={3} />}
    </details>
  )
}

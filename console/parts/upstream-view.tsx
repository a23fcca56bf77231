import { useState } from 'preact/hooks'
import type { ChangedTool, RelayedState } from '../../src/kernel/index.ts'
import { compare } from '../model/diff.ts'
import { cut, duration } from '../model/text.ts'
import { serverState } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { approveChange, readChange } from '../state/upstreams.ts'
import { Facts, Gone, when } from './details.tsx'
import { Plain } from './plain.tsx'

/** One of the servers behind a gateway: how it is, what is left out of it, and what has changed of it. */
export function UpstreamView({ name }: { readonly name: string }) {
  const found = useStore(serverState).upstreams?.find((one) => one.name === name)
  if (found === undefined) return <Gone what="Upstream" />
  return (
    <Facts what="Upstream" name={name} facts={factsOf(found)}>
      {found.leftOut.length > 0 && (
        <section class="card" aria-label="Left out">
          <h2>Left out</h2>
          <ul>
            {found.leftOut.slice(0, 100).map((text) => (
              <li key={text}>
                <Plain text={cut(text, 300)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {found.changed.slice(0, 100).map(({ tool, hash, seen }) => (
        <Change key={`${tool} ${hash}`} upstream={name} tool={tool} seen={seen} />
      ))}
    </Facts>
  )
}

function factsOf(one: RelayedState): readonly (readonly [string, string | undefined])[] {
  const { offered, lastError, nextTry } = one
  const lists = Object.entries(offered).filter(([, count]) => count > 0)
  return [
    ['state', one.state.replace('-', ' ')],
    ['revision', one.revision ?? 'not known yet'],
    ['transport', `${one.transport}, ${one.address}`],
    [
      'offers',
      lists.map(([list, count]) => `${count} ${count === 1 ? list.slice(0, -1) : list}`).join(', ') ||
        'nothing',
    ],
    ['calls', `${one.calls}, ${one.failed} failed, ${one.underway} under way`],
    ['latency (p50)', one.p50 === null ? undefined : duration(one.p50)],
    ['last error', lastError === null ? undefined : `${lastError.text} (${when(lastError.time)})`],
    ['next try', nextTry === null ? undefined : when(nextTry)],
  ]
}

interface ChangeProps {
  readonly upstream: string
  readonly tool: string
  readonly seen: string
}

/** Nothing can be approved that has not been looked at. */
function Change({ upstream, tool, seen }: ChangeProps) {
  const [shown, show] = useState<ChangedTool | undefined>()
  const [error, complain] = useState<string | undefined>()
  const act = (doing: Promise<unknown>) => void doing.catch((one: Error) => complain(one.message))
  return (
    <section class="card" aria-label={`Change of ${cut(tool, 60)}`}>
      <h2>
        <Plain text={cut(tool, 160)} /> has changed
      </h2>
      <p class="quiet">
        It is not served since {when(Date.parse(seen))}. A model reads what it says as instructions: look at
        the change before you approve it.
      </p>
      {error !== undefined && (
        <p class="complaint">
          <Plain text={cut(error, 300)} />
        </p>
      )}
      {shown !== undefined && <Differences change={shown} />}
      {shown !== undefined && !isShown(shown) && (
        <p class="complaint">
          It is too long to be shown here as a whole. In a terminal: perigee gateway approve {upstream}/
          <Plain text={cut(tool, 160)} />
        </p>
      )}
      <p class="buttons">
        {shown === undefined ? (
          <button type="button" onClick={() => act(readChange(upstream, tool).then(show))}>
            Show what has changed
          </button>
        ) : (
          isShown(shown) && (
            <button type="button" onClick={() => act(approveChange(upstream, shown))}>
              Approve the change
            </button>
          )
        )}
      </p>
    </section>
  )
}

const [LONGEST_TEXT, LONGEST_CONTRACT] = [4000, 12_000]

function differencesOf({ before, after }: ChangedTool) {
  return compare([before, after]).filter(({ differs }) => differs)
}

/** What is cut could hide what matters. */
function isShown(change: ChangedTool): boolean {
  const rows = differencesOf(change)
  const isShort = rows.every(({ cells }) => cells.every(({ text = '' }) => text.length <= LONGEST_TEXT))
  const length = JSON.stringify([change.before, change.after]).length
  return rows.length > 0 && isShort && length <= 2 * LONGEST_CONTRACT
}

function Differences({ change }: { readonly change: ChangedTool }) {
  const rows = differencesOf(change)
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="What has changed">
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">Approved</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, cells }) => (
            <tr key={path}>
              <th scope="row">
                <Plain text={cut(path, 200)} />
              </th>
              {cells.map(({ text }, at) => (
                <td key={at} class={at === 1 ? 'differs' : ''}>
                  {text === undefined ? (
                    <span class="quiet">–</span>
                  ) : (
                    <Plain text={cut(text, LONGEST_TEXT)} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

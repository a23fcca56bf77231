import { clockTime, cut } from '../model/text.ts'
import { notices } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { Plain } from './plain.tsx'

/** What the server itself has to say: the newest, and those before it on request. */
export function Notices() {
  const all = useStore(notices)
  const last = all.at(-1)
  if (last === undefined) return null
  return (
    <details class={`banner notice ${last.level}`}>
      <summary>
        <Plain text={cut(last.text, 300)} />
        <span class="quiet"> {clockTime(last.time).slice(0, 8)}</span>
      </summary>
      <ol>
        {[...all].reverse().map((one, at) => (
          <li key={at} class={one.level}>
            {clockTime(one.time).slice(0, 8)} <Plain text={cut(one.text, 4000)} />
          </li>
        ))}
      </ol>
      <button type="button" class="small" onClick={() => notices.set([])}>
        Dismiss
      </button>
    </details>
  )
}

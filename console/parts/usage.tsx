import type { ConsoleState } from '../../src/console/events.ts'
import { short } from '../model/text.ts'

/** How full the server's budgets are, the fullest first. */
export function Usage({ usage }: { readonly usage: ConsoleState['usage'] }) {
  const share = ({ used, limit }: { used: number; limit: number }) => (limit > 0 ? used / limit : 0)
  const rows = Object.entries(usage).sort(([, one], [, two]) => share(two) - share(one))
  return (
    <details class="card usage">
      <summary>
        <h2>Budgets in use</h2>
      </summary>
      <ul>
        {rows.map(([name, row]) => (
          <li key={name}>
            <span>{name}</span>
            <meter aria-label={name} min={0} max={1} value={Math.min(1, share(row))} />
            <span class="quiet">
              {short(row.used)} of {short(row.limit)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

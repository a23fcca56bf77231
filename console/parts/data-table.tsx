import { useState } from 'preact/hooks'
import { type JsonTable, summarize } from '../model/json.ts'
import { Long, Plain } from './plain.tsx'

const FIRST_ROWS = 50

/** A list of alike objects as a table. */
export function DataTable({ columns, rows }: JsonTable) {
  const [count, show] = useState(FIRST_ROWS)
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="A table of results">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                <Plain text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, count).map((row, at) => (
            <tr key={at}>
              {columns.map((name) => (
                <td key={name} class={typeof row[name]}>
                  <Cell value={row[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > count && (
        <button type="button" class="more" onClick={() => show(count * 4)}>
          Show more <small>({rows.length - count} rows left)</small>
        </button>
      )}
    </div>
  )
}

function Cell({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="quiet">–</span>
  if (typeof value === 'string') return <Long text={value} />
  const text = typeof value === 'object' ? JSON.stringify(value) : summarize(value)
  return <Long text={text} />
}

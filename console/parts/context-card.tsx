import type { ConsoleContext } from '../../src/console/events.ts'
import { offerWays } from '../model/offered.ts'
import { short } from '../model/text.ts'

/** What a model reads of this server before and after a call, with and without `offer` and `budget`. */
export function ContextCard({ context }: { readonly context: ConsoleContext }) {
  const { budget } = context
  return (
    <section class="card context" aria-label="What a model reads">
      <h2>What a model reads</h2>
      <table>
        <tbody>
          {offerWays(context).map(({ offer, what, tokens, isNow }) => (
            <tr key={offer} class={isNow ? 'now' : ''}>
              <th scope="row">
                <code>offer: '{offer}'</code>
              </th>
              <td>{what}</td>
              <td class="number">≈ {short(tokens)} tokens</td>
              <td>{isNow && <span class="chip">now</span>}</td>
            </tr>
          ))}
          <tr class={budget === undefined ? '' : 'now'}>
            <th scope="row">
              <code>{budget === undefined ? 'no budget' : 'budget'}</code>
            </th>
            <td>one result</td>
            <td class="number">{budget === undefined ? 'as long as it is' : `≤ ${short(budget)} tokens`}</td>
            <td>
              <span class="chip">now</span>
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

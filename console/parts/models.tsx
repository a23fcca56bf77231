import type { JsonRecord } from '../model/json.ts'
import { shownToModels } from '../model/shown.ts'
import { short } from '../model/text.ts'
import { serverState } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { Long } from './plain.tsx'

/** A result as the models of several hosts would see it. */
export function Models({ result }: { readonly result: JsonRecord }) {
  const { context } = useStore(serverState)
  return (
    <div class="models">
      {shownToModels(result, context?.fit ?? 'off').map(({ host, part, text, tokens }) => (
        <details key={host} open>
          <summary>
            <strong>{host}</strong> shows {part}
            <span class="quiet"> ≈ {short(tokens)} tokens</span>
          </summary>
          <pre class="code raw" tabIndex={0}>
            <Long text={text} />
          </pre>
        </details>
      ))}
    </div>
  )
}

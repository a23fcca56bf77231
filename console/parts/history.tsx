import { type Call, call, calls } from '../state/calls.ts'
import { useStore } from '../state/store.ts'
import { CallCard } from './call-card.tsx'

interface HistoryProps {
  /** Of one thing alone. */
  readonly only?: { readonly kind: Call['target']['kind']; readonly name: string }
}

/** The calls made from this page, the newest first. */
export function History({ only }: HistoryProps) {
  const all = useStore(calls)
  const shown = all.filter(
    ({ target }) => only === undefined || (target.kind === only.kind && target.name === only.name),
  )
  if (shown.length === 0) return only === undefined ? <p class="quiet">Nothing has been called yet.</p> : null
  return (
    <section class="history" aria-label="Results" aria-live="polite">
      {shown.map((one) => (
        <CallCard key={one.id} call={one} named={only === undefined} again={() => call(one.target)} />
      ))}
    </section>
  )
}

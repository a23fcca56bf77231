import { useState } from 'preact/hooks'
import type { Prompt } from '../../src/client/results.ts'
import { call } from '../state/calls.ts'
import { drafts } from '../state/selection.ts'
import { talk } from '../state/session.ts'
import { CompletedInputs } from './completed-inputs.tsx'
import { History } from './history.tsx'
import { OfferHead } from './offer-head.tsx'
import { CompareButton } from './resource-view.tsx'

type Values = { readonly [name: string]: string }

/** A prompt: its arguments, and the messages they make. */
export function PromptView({ prompt }: { readonly prompt: Prompt }) {
  const draft = `prompt ${prompt.name}`
  const [values, fill] = useState((drafts.get(draft) ?? {}) as Values) // As it was left.
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const target = { kind: 'prompt', name: prompt.name, args: filled } as const
  const complete = async (name: string, value: string) => {
    const found = await talk.value.client?.complete(
      { type: 'ref/prompt', name: prompt.name },
      { name, value },
      filled,
    )
    return found?.values ?? []
  }
  return (
    <>
      <OfferHead what="Prompt" offer={prompt} />
      <section class="card" aria-label="Arguments">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            call(target)
          }}
        >
          <CompletedInputs
            fields={prompt.arguments ?? []}
            values={values}
            complete={complete}
            change={(next) => {
              drafts.set(draft, next)
              fill(next)
            }}
          />
          <div class="buttons">
            <button type="submit" class="primary">
              Get
            </button>
            <CompareButton target={target} />
          </div>
        </form>
      </section>
      <History only={{ kind: 'prompt', name: prompt.name }} />
    </>
  )
}

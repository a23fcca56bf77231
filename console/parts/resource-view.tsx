import { useState } from 'preact/hooks'
import type { Resource, ResourceTemplate } from '../../src/client/results.ts'
import { expand, variablesOf } from '../model/uri-template.ts'
import { call, type Target } from '../state/calls.ts'
import { compareAll } from '../state/comparison.ts'
import { drafts } from '../state/selection.ts'
import { talk } from '../state/session.ts'
import { CompletedInputs } from './completed-inputs.tsx'
import { History } from './history.tsx'
import { OfferHead } from './offer-head.tsx'
import { Plain } from './plain.tsx'

/** A resource: what it is, and what it holds when it is read. */
export function ResourceView({
  uri,
  resource,
}: {
  readonly uri: string
  readonly resource: Resource | undefined
}) {
  const target = { kind: 'resource', name: uri } as const
  return (
    <>
      <OfferHead
        what="Resource"
        offer={resource ?? { name: uri }}
        address={uri}
        marks={[resource?.mimeType ?? ''].filter(Boolean)}
      />
      <section class="card buttons" aria-label="Read">
        <button type="button" class="primary" onClick={() => call(target)}>
          Read
        </button>
        <CompareButton target={target} />
      </section>
      <History only={target} />
    </>
  )
}

export function CompareButton({ target }: { readonly target: Target }) {
  return (
    <button type="button" onClick={() => void compareAll(target)}>
      In all revisions
    </button>
  )
}

/** A template: its variables, with what the server suggests for them, and the address they make. */
export function TemplateView({ template }: { readonly template: ResourceTemplate }) {
  const draft = `template ${template.uriTemplate}`
  const [values, fill] = useState((drafts.get(draft) ?? {}) as { readonly [name: string]: string })
  const uri = expand(template.uriTemplate, values)
  const target = { kind: 'resource', name: uri } as const
  const complete = async (name: string, value: string) => {
    const found = await talk.value.client?.complete(
      { type: 'ref/resource', uri: template.uriTemplate },
      { name, value },
      values,
    )
    return found?.values ?? []
  }
  const fields = variablesOf(template.uriTemplate).map((name) => ({ name, required: true }))
  return (
    <>
      <OfferHead
        what="Template"
        offer={template}
        address={template.uriTemplate}
        marks={[template.mimeType ?? ''].filter(Boolean)}
      />
      <section class="card" aria-label="Read">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            call(target)
          }}
        >
          <CompletedInputs
            fields={fields}
            values={values}
            complete={complete}
            change={(next) => {
              drafts.set(draft, next)
              fill(next)
            }}
          />
          <p class="address">
            <Plain text={uri} />
          </p>
          <div class="buttons">
            <button type="submit" class="primary">
              Read
            </button>
            <CompareButton target={target} />
          </div>
        </form>
      </section>
      <History only={target} />
    </>
  )
}

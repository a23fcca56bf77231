import { useState } from 'preact/hooks'
import type { ElicitResult } from '../../src/client/answers.ts'
import { toField } from '../model/field.ts'
import { initialOf } from '../model/filling.ts'
import { safeLink } from '../model/text.ts'
import type { Question } from '../state/questions.ts'
import { Long, Outside } from './plain.tsx'
import { SchemaForm } from './schema-form.tsx'

type Elicit = Extract<Question, { kind: 'elicit' }>

/** A question to the person: by a form, or by a page elsewhere. */
export function ElicitQuestion({ question }: { readonly question: Elicit }) {
  return question.params.mode === 'url' ? (
    <UrlQuestion question={question} />
  ) : (
    <FormQuestion question={question} />
  )
}

function FormQuestion({ question }: { readonly question: Elicit }) {
  const schema = question.params.requestedSchema ?? { type: 'object', properties: {} }
  const [value, fill] = useState<unknown>(() => initialOf(toField(schema)) ?? {})
  return (
    <>
      <p class="asked">
        <Long text={question.params.message} />
      </p>
      <SchemaForm
        schema={schema}
        value={value}
        change={fill}
        label="Answer"
        submit={(content) =>
          question.answer({ action: 'accept', content: content as NonNullable<ElicitResult['content']> })
        }
      >
        <button type="submit" class="primary">
          Answer
        </button>
        <Declining question={question} />
      </SchemaForm>
    </>
  )
}

/** The whole address is shown before anybody goes there. */
function UrlQuestion({ question }: { readonly question: Elicit }) {
  const url = question.params.url ?? ''
  const safe = safeLink(url)
  const host = safe === undefined ? undefined : new URL(safe).host
  return (
    <>
      <p class="asked">
        <Long text={question.params.message} />
      </p>
      <p class="address">
        <Outside href={url} />
      </p>
      <p class="hint">
        {host === undefined
          ? 'This is no address that is opened from here.'
          : `It leads to ${host}, in a tab of its own. Say here when you are done there.`}
      </p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={safe === undefined}
          onClick={() => question.answer({ action: 'accept' })}
        >
          Done
        </button>
        <Declining question={question} />
      </div>
    </>
  )
}

function Declining({ question }: { readonly question: Elicit }) {
  return (
    <>
      <button type="button" onClick={() => question.answer({ action: 'decline' })}>
        Decline
      </button>
      <button type="button" onClick={() => question.answer({ action: 'cancel' })}>
        Cancel
      </button>
    </>
  )
}

import type { ComponentChildren } from 'preact'
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { toField } from '../model/field.ts'
import { type Complaint, complaintsOf } from '../model/filling.ts'
import { Members } from './form.tsx'
import { JsonEditor } from './json-editor.tsx'

interface SchemaFormProps {
  readonly schema: unknown
  readonly value: unknown
  readonly change: (value: unknown) => void
  /** With the value of the button that was pressed. */
  readonly submit: (value: unknown, way: string) => void
  readonly label: string
  /** The buttons. */
  readonly children: ComponentChildren
}

/** A form made from a JSON Schema, or the same as JSON, which is sent as it is. */
export function SchemaForm({ schema, value, change, submit, label, children }: SchemaFormProps) {
  const field = useMemo(() => toField(schema), [schema])
  const isForm = field.kind === 'object'
  const [asJson, setAsJson] = useState(!isForm)
  const [complaints, complain] = useState<readonly Complaint[]>([])
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const trySubmit = (way: string) => {
    const unread = unreadOf(form.current)
    const missing = asJson ? [] : complaintsOf(field, value ?? {})
    const found = [...unread, ...missing.filter(({ path }) => !unread.some((one) => one.path === path))]
    complain(found)
    if (found.length === 0) return submit(value ?? {}, way)
    requestAnimationFrame(() => focusFirst(form.current))
  }
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        trySubmit(event.submitter instanceof HTMLButtonElement ? event.submitter.value : '')
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) form.current?.requestSubmit()
      }}
    >
      {isForm && field.members.length > 0 && <Switch asJson={asJson} choose={setAsJson} />}
      {isForm && !asJson ? (
        <Members field={field} value={value} change={change} path="" complaints={complaints} />
      ) : (
        <div class="field">
          <label class="hidden" for={id}>
            Arguments as JSON
          </label>
          <JsonEditor id={id} path="" value={value ?? {}} change={change} rows={8} />
        </div>
      )}
      {complaints.length > 0 && (
        <p class="complaint" role="alert">
          {complaints.length === 1 ? 'One field wants a look' : `${complaints.length} fields want a look`}:{' '}
          {complaints
            .slice(0, 3)
            .map((one) => `${one.path} ${one.text}`.trim())
            .join('; ')}
        </p>
      )}
      <div class="buttons">{children}</div>
    </form>
  )
}

function Switch({
  asJson,
  choose,
}: {
  readonly asJson: boolean
  readonly choose: (asJson: boolean) => void
}) {
  return (
    <div class="ways" role="group" aria-label="Fill in as">
      <button type="button" aria-pressed={!asJson} onClick={() => choose(false)}>
        Form
      </button>
      <button type="button" aria-pressed={asJson} onClick={() => choose(true)}>
        JSON
      </button>
    </div>
  )
}

/** What was typed that cannot be read as what it should be: the value knows nothing of it. */
function unreadOf(form: HTMLFormElement | null): readonly Complaint[] {
  const inputs = [...(form?.querySelectorAll<HTMLInputElement>('[data-path]') ?? [])]
  return inputs
    .filter(({ validity }) => validity.badInput || validity.customError)
    .map(({ dataset, validationMessage }) => ({ path: dataset['path'] ?? '', text: validationMessage }))
}

function focusFirst(form: HTMLFormElement | null): void {
  const found = form?.querySelector('.complained :is(input, textarea, select, button), [aria-invalid=true]')
  if (found instanceof HTMLElement) found.focus()
}

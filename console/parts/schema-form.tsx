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
  readonly submit: (value: unknown) => void
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
  const [wrong, setWrong] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const trySubmit = () => {
    const found = asJson ? [] : complaintsOf(field, value ?? {})
    complain(found)
    if (found.length === 0 && wrong === undefined) return submit(value ?? {})
    requestAnimationFrame(() => focusFirst(form.current))
  }
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        trySubmit()
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
          <JsonEditor id={id} value={value ?? {}} change={change} rows={8} complain={setWrong} />
        </div>
      )}
      {complaints.length > 0 && (
        <p class="complaint" role="alert">
          {complaints.length === 1 ? 'One field wants a look' : `${complaints.length} fields want a look`}:{' '}
          {complaints
            .slice(0, 3)
            .map((one) => `${one.path} ${one.text}`)
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

function focusFirst(form: HTMLFormElement | null): void {
  const found = form?.querySelector('.complained :is(input, textarea, select, button)')
  if (found instanceof HTMLElement) found.focus()
}

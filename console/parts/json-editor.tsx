import { useEffect, useRef, useState } from 'preact/hooks'
import { inexact } from '../model/exact.ts'
import type { FieldProps } from './form.tsx'

/** Where a form cannot say it: a value as JSON. */
export function JsonInput({ id, about, path, value, change, required }: FieldProps) {
  return <JsonEditor {...{ id, about, path, value, change }} rows={3} optional={!required} />
}

interface EditorProps {
  readonly id: string
  readonly about?: string | undefined
  readonly path: string
  readonly value: unknown
  readonly change: (value: unknown) => void
  readonly rows: number
  /** Whether it may be empty. */
  readonly optional?: boolean
}

/** JSON as text: what does not parse, or not as it is, stays as it was typed, with what is wrong with it, and the form is not sent. */
export function JsonEditor({ id, about, path, value, change, rows, optional = false }: EditorProps) {
  const [text, write] = useState(() => print(value))
  const [wrong, setWrong] = useState<string>()
  const own = useRef(value)
  const area = useRef<HTMLTextAreaElement>(null)
  const judge = (error: string | undefined) => {
    setWrong(error)
    area.current?.setCustomValidity(error ?? '')
  }
  useEffect(() => {
    if (JSON.stringify(value) === JSON.stringify(own.current)) return
    own.current = value
    write(print(value))
    judge(undefined)
  }, [value])
  const take = (next: string) => {
    write(next)
    const [parsed, error] = next.trim() === '' && optional ? [undefined, undefined] : tryParse(next)
    judge(error)
    if (error !== undefined) return
    own.current = parsed
    change(parsed)
  }
  return (
    <div class="json-editor">
      <textarea
        ref={area}
        id={id}
        data-path={path}
        aria-describedby={about}
        aria-invalid={wrong !== undefined}
        class="code"
        rows={rows}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      {wrong !== undefined && <p class="complaint">{wrong}</p>}
    </div>
  )
}

function print(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function tryParse(text: string): readonly [unknown, string | undefined] {
  try {
    return [JSON.parse(text), inexact(text)]
  } catch (error) {
    return [undefined, (error as Error).message]
  }
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { FieldProps } from './form.tsx'

/** Where a form cannot say it: a value as JSON. */
export function JsonInput({ id, about, value, change, required }: FieldProps) {
  return <JsonEditor {...{ id, about, value, change }} rows={3} optional={!required} />
}

interface EditorProps {
  readonly id: string
  readonly about?: string | undefined
  readonly value: unknown
  readonly change: (value: unknown) => void
  readonly rows: number
  /** Whether it may be empty. */
  readonly optional?: boolean
  /** Told what is wrong with the text, or that nothing is. */
  readonly complain?: (text: string | undefined) => void
}

/** JSON as text: what does not parse stays as it was typed, with what is wrong with it. */
export function JsonEditor({ id, about, value, change, rows, optional = false, complain }: EditorProps) {
  const [text, write] = useState(() => print(value))
  const [wrong, setWrong] = useState<string>()
  const own = useRef(value)
  useEffect(() => {
    if (JSON.stringify(value) === JSON.stringify(own.current)) return
    own.current = value
    write(print(value))
  }, [value])
  const take = (next: string) => {
    write(next)
    const [parsed, error] = next.trim() === '' && optional ? [undefined, undefined] : tryParse(next)
    setWrong(error)
    complain?.(error)
    if (error !== undefined) return
    own.current = parsed
    change(parsed)
  }
  return (
    <div class="json-editor">
      <textarea
        id={id}
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
    return [JSON.parse(text), undefined]
  } catch (error) {
    return [undefined, (error as Error).message]
  }
}

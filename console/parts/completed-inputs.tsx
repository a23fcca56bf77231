import { useId, useState } from 'preact/hooks'
import { cut, showUnseen } from '../model/text.ts'
import { Long, Plain } from './plain.tsx'

interface InputsProps {
  readonly fields: readonly {
    readonly name: string
    readonly description?: string | undefined
    readonly required?: boolean | undefined
  }[]
  readonly values: { readonly [name: string]: string }
  readonly change: (values: { readonly [name: string]: string }) => void
  readonly complete: (name: string, value: string) => Promise<readonly string[]>
}

/** Plain text for each name, with what the server suggests while one types. */
export function CompletedInputs({ fields, values, change, complete }: InputsProps) {
  const id = useId()
  const [found, show] = useState<{ readonly [name: string]: readonly string[] }>({})
  const suggest = (name: string, value: string) => {
    complete(name, value).then(
      (list) => show((all) => ({ ...all, [name]: list.slice(0, 100) })),
      () => {}, // A server need not suggest anything.
    )
  }
  return (
    <div class="members">
      {fields.map(({ name, description, required }) => (
        <div key={name} class="field">
          <label for={`${id}-${name}`}>
            <span class="field-name">
              <Plain text={cut(name, 120)} />
            </span>
            <span class={required === true ? 'kind required' : 'kind'}>
              text{required === true ? ', required' : ''}
            </span>
          </label>
          {description !== undefined && (
            <p class="hint">
              <Long text={description} />
            </p>
          )}
          <input
            id={`${id}-${name}`}
            type="text"
            list={`${id}-${name}-list`}
            autocomplete="off"
            spellcheck={false}
            value={values[name] ?? ''}
            onFocus={({ currentTarget }) => suggest(name, currentTarget.value)}
            onInput={({ currentTarget }) => {
              change({ ...values, [name]: currentTarget.value })
              suggest(name, currentTarget.value)
            }}
          />
          <datalist id={`${id}-${name}-list`}>
            {(found[name] ?? []).map((one) => (
              <option key={one} value={one}>
                {showUnseen(one)}
              </option>
            ))}
          </datalist>
        </div>
      ))}
    </div>
  )
}

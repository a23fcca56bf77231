import { useId, useState } from 'preact/hooks'
import type { ArrayField, Choice, UnionField } from '../model/field.ts'
import { initialOf, variantFor } from '../model/filling.ts'
import { showUnseen } from '../model/text.ts'
import type { FieldProps } from './form.tsx'

/** Some of several: each may be ticked. */
export function ChoicesInput({
  choices,
  value,
  change,
}: FieldProps & { readonly choices: readonly Choice[] }) {
  const held = Array.isArray(value) ? value : []
  const has = (one: unknown) => held.some((item) => JSON.stringify(item) === JSON.stringify(one))
  const toggle = (one: unknown, on: boolean) => {
    const next = choices.map((choice) => choice.value).filter((item) => (item === one ? on : has(item)))
    change(next.length === 0 ? undefined : next)
  }
  return (
    <div class="checks">
      {choices.map((choice) => (
        <label key={choice.label} class="check">
          <input
            type="checkbox"
            checked={has(choice.value)}
            onChange={({ currentTarget }) => toggle(choice.value, currentTarget.checked)}
          />
          {showUnseen(choice.label)}
        </label>
      ))}
    </div>
  )
}

/** A list: items are added, taken away and filled in. */
export function ListInput(props: FieldProps<ArrayField>) {
  const { field, value, change, path, input: Input } = props
  const items = Array.isArray(value) ? value : []
  const base = useId()
  const put = (next: readonly unknown[]) => change(next.length === 0 && !props.required ? undefined : next)
  return (
    <div class="items">
      {items.map((item, at) => (
        <div key={at} class="item">
          <div class="item-input">
            <label class="hidden" for={`${base}-${at}`}>
              Item {at + 1}
            </label>
            <Input
              {...props}
              field={field.item}
              value={item}
              change={(next) => put(items.map((one, index) => (index === at ? (next ?? null) : one)))}
              path={`${path}.${at}`}
              required
              id={`${base}-${at}`}
              about={undefined}
            />
          </div>
          <button
            type="button"
            class="small"
            aria-label={`Take item ${at + 1} away`}
            onClick={() => put(items.filter((_, index) => index !== at))}
          >
            ×
          </button>
        </div>
      ))}
      {items.length < field.maxItems && (
        <button
          type="button"
          class="small"
          onClick={() => put([...items, initialOf(field.item) ?? emptyOf(field.item.kind)])}
        >
          + Add an item
        </button>
      )}
    </div>
  )
}

function emptyOf(kind: string): unknown {
  return kind === 'text' ? '' : null
}

/** Either of several: the variant first, then what it wants. */
export function UnionInput(props: FieldProps<UnionField>) {
  const { field, value, change, required, id, input: Input } = props
  const [chosen, choose] = useState<number>()
  const inner = useId()
  const isSet = value !== undefined || chosen !== undefined
  const at = chosen ?? (isSet ? variantFor(field, value) : -1)
  const variant = field.variants[at]
  const pick = (next: number) => {
    choose(next < 0 ? undefined : next)
    const picked = field.variants[next]
    change(picked === undefined ? undefined : initialOf(picked.field))
  }
  return (
    <div class="union">
      <select
        id={`${id}-variant`}
        aria-label="Which variant"
        value={String(at)}
        onChange={({ currentTarget }) => pick(Number(currentTarget.value))}
      >
        {!required && <option value="-1">not given</option>}
        {field.variants.map(({ label }, index) => (
          <option key={index} value={String(index)}>
            {showUnseen(label)}
          </option>
        ))}
      </select>
      {variant !== undefined && (
        <div class="nested">
          <label class="hidden" for={inner}>
            {showUnseen(variant.label)}
          </label>
          <Input {...props} field={variant.field} required id={inner} about={undefined} />
        </div>
      )}
    </div>
  )
}

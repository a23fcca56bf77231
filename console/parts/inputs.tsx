import { useState } from 'preact/hooks'
import { toInstant, toLocal } from '../model/dates.ts'
import { inexact } from '../model/exact.ts'
import type { Choice, NumberField, TextField } from '../model/field.ts'
import { showUnseen } from '../model/text.ts'
import type { FieldProps } from './form.tsx'

/** All of them take what text takes. */
const TYPES = { date: 'date', time: 'time', email: 'email', uri: 'url' } as const

/** Text; what is a day or an instant is picked. */
export function TextInput({ field, value, change, path, id, about, required }: FieldProps<TextField>) {
  const given = typeof value === 'string' ? value : ''
  const put = (text: string) => change(text === '' && !required ? undefined : text)
  const shared = { id, 'data-path': path, 'aria-describedby': about, 'aria-required': required }
  if (field.format === 'date-time')
    return (
      <input
        {...shared}
        type="datetime-local"
        step="1"
        value={toLocal(given)}
        onInput={({ currentTarget }) => change(toInstant(currentTarget.value))}
      />
    )
  if (field.format !== 'plain')
    return (
      <input
        {...shared}
        type={TYPES[field.format] as 'text'}
        value={given}
        onInput={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
    )
  return (
    <textarea
      {...shared}
      rows={1}
      spellcheck={false}
      value={given}
      onInput={({ currentTarget }) => put(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
    />
  )
}

/** A number; one that would become another stays as it was typed, with what is wrong with it, and the form is not sent. */
export function NumberInput({ field, value, change, path, id, about, required }: FieldProps<NumberField>) {
  const [typed, keep] = useState<string>()
  const take = (input: HTMLInputElement) => {
    const wrong = inexact(input.value)
    input.setCustomValidity(wrong ?? '')
    keep(wrong === undefined ? undefined : input.value)
    change(wrong !== undefined || input.value === '' ? undefined : input.valueAsNumber)
  }
  return (
    <input
      id={id}
      data-path={path}
      aria-describedby={about}
      aria-required={required}
      type="number"
      step={field.integer ? 1 : 'any'}
      min={field.minimum}
      max={field.maximum}
      value={typed ?? (typeof value === 'number' ? value : '')}
      onInput={({ currentTarget }) => take(currentTarget)}
    />
  )
}

/** One of several; what need not be given can be left open. */
export function ChoiceInput({
  choices,
  value,
  change,
  id,
  about,
  required,
}: FieldProps & { readonly choices: readonly Choice[] }) {
  const at = choices.findIndex((one) => JSON.stringify(one.value) === JSON.stringify(value))
  return (
    <select
      id={id}
      aria-describedby={about}
      aria-required={required}
      value={String(at)}
      onChange={({ currentTarget }) => change(choices[Number(currentTarget.value)]?.value)}
    >
      {(at < 0 || !required) && <option value="-1">not given</option>}
      {choices.map(({ label }, index) => (
        <option key={index} value={String(index)}>
          {showUnseen(label)}
        </option>
      ))}
    </select>
  )
}

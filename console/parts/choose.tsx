import { showUnseen } from '../model/text.ts'

interface ChooseProps {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  readonly options: readonly (readonly [value: string, words: string])[]
}

/** One of several, in a line of tools. */
export function Choose({ label, value, change, options }: ChooseProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {showUnseen(words)}
        </option>
      ))}
    </select>
  )
}

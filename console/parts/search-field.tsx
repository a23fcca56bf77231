interface SearchFieldProps {
  readonly id: string
  /** What it is called by whoever does not see it. */
  readonly label: string
  /** What stands in it while it is empty. */
  readonly hint: string
  readonly value: string
  readonly change: (text: string) => void
}

/** Where one types what is looked for. */
export function SearchField({ id, label, hint, value, change }: SearchFieldProps) {
  return (
    <input
      id={id}
      type="search"
      aria-label={label}
      placeholder={hint}
      value={value}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

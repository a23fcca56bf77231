/** A name in braces; what stands after `=` is taken where no value is given. */
const PLACEHOLDER = /\{([A-Za-z0-9_.-]+)(?:=([^{}\r\n]*))?\}/g

type PlaceholderValues = { readonly [name: string]: unknown }

/** A name in a template, and what it is where nothing is given. */
export interface Placeholder {
  readonly name: string
  readonly fallback: string | undefined
}

/** A template's placeholders, each once, in the order of their first use; the first default of a name counts. */
export function placeholders(template: string): readonly Placeholder[] {
  const found = new Map<string, string | undefined>()
  for (const [, name = '', fallback] of template.matchAll(PLACEHOLDER))
    found.set(name, found.get(name) ?? fallback)
  return [...found].map(([name, fallback]) => ({ name, fallback }))
}

/** Fills in all placeholders in one pass, so that a value is never taken for a template. */
export function fill(template: string, values: PlaceholderValues): string {
  const textOf = textsOf(template, values)
  return template.replace(PLACEHOLDER, (_whole, name: string) => textOf(name))
}

/** How long the text will be, known before it is made. */
export function filledLength(template: string, values: PlaceholderValues): number {
  const textOf = textsOf(template, values)
  let { length } = template
  for (const [whole, name = ''] of template.matchAll(PLACEHOLDER))
    length += textOf(name).length - whole.length
  return length
}

function textsOf(template: string, values: PlaceholderValues): (name: string) => string {
  const fallbacks = new Map(placeholders(template).map(({ name, fallback = '' }) => [name, fallback]))
  return (name) => (Object.hasOwn(values, name) ? String(values[name]) : (fallbacks.get(name) ?? ''))
}

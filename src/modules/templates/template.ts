const PLACEHOLDER = /\{([A-Za-z0-9_.-]+)\}/g

type PlaceholderValues = { readonly [name: string]: unknown }

/** The names of a template's placeholders, each once, in the order of their first use. */
export function placeholders(template: string): readonly string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
}

/** Fills in all placeholders in one pass, so that a value is never taken for a template. */
export function fill(template: string, values: PlaceholderValues): string {
  return template.replace(PLACEHOLDER, (_whole, name: string) => textOf(values, name))
}

/** How long the text will be, known before it is made. */
export function filledLength(template: string, values: PlaceholderValues): number {
  let { length } = template
  for (const [whole, name = ''] of template.matchAll(PLACEHOLDER)) {
    length += textOf(values, name).length - whole.length
  }
  return length
}

function textOf(values: PlaceholderValues, name: string): string {
  return Object.hasOwn(values, name) ? String(values[name]) : ''
}

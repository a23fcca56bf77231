const PLACEHOLDER = /\{([A-Za-z0-9_.-]+)\}/g

/** The names of a template's placeholders, each once, in the order of their first use. */
export function placeholders(template: string): readonly string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
}

/** Fills in all placeholders in one pass, so that a value is never taken for a template. */
export function fill(template: string, values: { readonly [name: string]: unknown }): string {
  return template.replace(PLACEHOLDER, (_whole, name: string) => String(values[name]))
}

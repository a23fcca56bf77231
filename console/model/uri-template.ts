/** The variables of a URI template, in order, each once. */
export function variablesOf(template: string): readonly string[] {
  const names = [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace(/(\*|:\d+)$/, '')),
  )
  return [...new Set(names.filter((name) => name !== ''))]
}

type Values = { readonly [name: string]: string }

const PLAIN = { first: '', between: ',', named: false, raw: false }

/** What goes before, between and whether names are repeated, by operator. */
const OPERATORS: {
  readonly [operator: string]: { first: string; between: string; named: boolean; raw: boolean }
} = {
  '+': { first: '', between: ',', named: false, raw: true },
  '#': { first: '#', between: ',', named: false, raw: true },
  '.': { first: '.', between: '.', named: false, raw: false },
  '/': { first: '/', between: '/', named: false, raw: false },
  ';': { first: ';', between: ';', named: true, raw: false },
  '?': { first: '?', between: '&', named: true, raw: false },
  '&': { first: '&', between: '&', named: true, raw: false },
}

/** Fills a template in, as RFC 6570 says, with plain strings. */
export function expand(template: string, values: Values): string {
  return template.replace(/\{([+#./;?&]?)([^{}]*)\}/g, (_, operator: string, list: string) => {
    const { first, between, named, raw } = OPERATORS[operator] ?? PLAIN
    const filled = list.split(',').flatMap((spec) => {
      const [, name = '', length] = /^([^:*]*)(?::(\d+))?\*?$/.exec(spec) ?? []
      const value = values[name]
      if (value === undefined || value === '') return []
      const taken = length === undefined ? value : Array.from(value).slice(0, Number(length)).join('')
      const encoded = raw ? encodeURI(taken) : encode(taken)
      return [named ? `${name}=${encoded}` : encoded]
    })
    return filled.length === 0 ? '' : first + filled.join(between)
  })
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

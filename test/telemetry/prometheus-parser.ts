export interface Sample {
  readonly name: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}

export interface Family {
  readonly type: string
  readonly help: string
  readonly samples: Sample[]
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/y
const ESCAPES: { readonly [mark: string]: string } = { n: '\n', '"': '"', '\\': '\\' }
const SUFFIXES: { readonly [type: string]: readonly string[] } = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
}

/** Reads Prometheus' text format 0.0.4, and throws at whatever a scraper could take amiss. */
export function parsePrometheus(text: string): Map<string, Family> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('The last line has no end')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let current: string | undefined
  let help: { name: string; text: string } | undefined
  for (const line of text.split('\n').slice(0, -1)) {
    const helped = new RegExp(`^# HELP (${NAME}) (.*)$`).exec(line)
    const typed = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`).exec(line)
    if (helped !== null) {
      help = { name: helped[1] ?? '', text: helped[2] ?? '' }
      current = undefined
    } else if (typed !== null) {
      current = typed[1] ?? ''
      if (help?.name !== current) throw new Error(`${current} has no HELP`)
      if (families.has(current)) throw new Error(`${current} comes twice`)
      families.set(current, { type: typed[2] ?? '', help: help.text, samples: [] })
    } else {
      const family = families.get(current ?? '')
      const sample = parseSample(line)
      const { type = '' } = family ?? {}
      if (!(SUFFIXES[type] ?? []).some((suffix) => sample.name === `${current}${suffix}`))
        throw new Error(`Not of ${current}: ${line}`)
      const identity = JSON.stringify([sample.name, Object.entries(sample.labels).map(String).sort()])
      if (seen.has(identity)) throw new Error(`The same series twice: ${line}`)
      seen.add(identity)
      family?.samples.push(sample)
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family)
  return families
}

function parseSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] =
    new RegExp(`^(${NAME})(?:\\{(.*)\\})? ([^ ]+)$`).exec(line) ?? fail(`No sample: ${line}`)
  return { name, labels: parseLabels(labels), value: parseNumber(value) }
}

function parseLabels(text: string): { [name: string]: string } {
  const labels: { [name: string]: string } = {}
  let at = 0
  while (at < text.length) {
    LABEL.lastIndex = at
    const [whole, name = '', value = ''] = LABEL.exec(text) ?? fail(`No label: ${text.slice(at)}`)
    if (name in labels) fail(`The label ${name} comes twice`)
    labels[name] = value.replace(/\\(["\\n])/g, (_all, mark: string) => ESCAPES[mark] ?? '')
    at += whole.length
    if (at < text.length && text[at++] !== ',') fail(`No comma: ${text}`)
  }
  return labels
}

function parseNumber(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) fail(`No number: ${text}`)
  return Number(text)
}

/** Buckets grow, the last is of everything, and it agrees with the count. */
function checkHistogram(name: string, { samples }: Family): void {
  const series = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le, ...rest } = sample.labels
    if ((le !== undefined) !== sample.name.endsWith('_bucket')) fail(`le where it must not be: ${name}`)
    const key = JSON.stringify(rest)
    series.set(key, [...(series.get(key) ?? []), sample])
  }
  for (const [key, all] of series) {
    const buckets = all.filter((one) => one.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => parseNumber(labels['le'] ?? ''))
    const ascending = (list: readonly number[]) =>
      list.every((one, at) => at === 0 || one >= (list[at - 1] ?? 0))
    if (!ascending(bounds) || !ascending(buckets.map(({ value }) => value)))
      fail(`Not ascending: ${name}${key}`)
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY) fail(`No +Inf: ${name}${key}`)
    const count = all.find((one) => one.name === `${name}_count`)?.value
    if (count === undefined || count !== buckets.at(-1)?.value) fail(`Wrong count: ${name}${key}`)
    if (!all.some((one) => one.name === `${name}_sum`)) fail(`No sum: ${name}${key}`)
  }
}

function fail(message: string): never {
  throw new Error(message)
}

/** Numbers under one name, told apart by labels. */
export interface Family {
  print(): string
}

export interface Description {
  readonly name: string
  readonly help: string
  /** The names of the labels; a value is given for each of them, and an empty one stands for none. */
  readonly labels?: readonly string[]
}

/** What only grows. */
export class Counter implements Family {
  readonly #description: Description
  readonly #series = new Series(() => ({ value: 0 }))

  constructor(description: Description) {
    this.#description = description
  }

  add(...values: readonly string[]): void {
    this.#series.find(values).value += 1
  }

  print(): string {
    const { name, labels = [] } = this.#description
    const samples = this.#series.map((values, { value }) => printSample(name, pair(labels, values), value))
    return printFamily(this.#description, 'counter', samples)
  }
}

/** What is looked up when it is asked for; a counter where it only grows. */
export class Gauge implements Family {
  readonly #description: Description
  readonly #read: () => number
  readonly #type: 'gauge' | 'counter'

  constructor(description: Description, read: () => number, type: 'gauge' | 'counter' = 'gauge') {
    this.#description = description
    this.#read = read
    this.#type = type
  }

  print(): string {
    const { name } = this.#description
    return printFamily(this.#description, this.#type, [printSample(name, [], this.#read())])
  }
}

/** The same for many things, told apart by labels. */
export class Gauges implements Family {
  readonly #description: Description
  readonly #read: () => Iterable<readonly [value: number, ...labels: readonly string[]]>

  constructor(
    description: Description,
    read: () => Iterable<readonly [value: number, ...labels: readonly string[]]>,
  ) {
    this.#description = description
    this.#read = read
  }

  print(): string {
    const { name, labels = [] } = this.#description
    const samples = [...this.#read()].map(([value, ...values]) =>
      printSample(name, pair(labels, values), value),
    )
    return printFamily(this.#description, 'gauge', samples)
  }
}

/** How often values fell below each bound. */
export class Histogram implements Family {
  readonly #description: Description
  readonly #bounds: readonly number[]
  readonly #series: Series<{ readonly counts: number[]; sum: number }>

  constructor(description: Description, bounds: readonly number[]) {
    this.#description = description
    this.#bounds = bounds
    // The last count is of what lies above every bound.
    this.#series = new Series(() => ({ counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }))
  }

  observe(value: number, ...values: readonly string[]): void {
    const one = this.#series.find(values)
    const above = this.#bounds.findIndex((bound) => value <= bound)
    const place = above === -1 ? this.#bounds.length : above
    one.counts[place] = (one.counts[place] ?? 0) + 1
    one.sum += value
  }

  print(): string {
    const { name, labels = [] } = this.#description
    const samples = this.#series.map((values, { counts, sum }) => {
      const pairs = pair(labels, values)
      let total = 0
      const buckets = counts.map((count, place) => {
        total += count
        const bound = printNumber(this.#bounds[place] ?? Number.POSITIVE_INFINITY)
        return printSample(`${name}_bucket`, [...pairs, ['le', bound]], total)
      })
      return [...buckets, printSample(`${name}_sum`, pairs, sum), printSample(`${name}_count`, pairs, total)]
    })
    return printFamily(this.#description, 'histogram', samples.flat())
  }
}

class Series<Value> {
  readonly #create: () => Value
  readonly #byKey = new Map<string, { readonly values: readonly string[]; readonly value: Value }>()

  constructor(create: () => Value) {
    this.#create = create
  }

  find(values: readonly string[]): Value {
    const key = values.join('\u0000')
    const found = this.#byKey.get(key)
    if (found !== undefined) return found.value
    const value = this.#create()
    this.#byKey.set(key, { values, value })
    return value
  }

  map<Out>(print: (values: readonly string[], value: Value) => Out): Out[] {
    return [...this.#byKey.values()].map(({ values, value }) => print(values, value))
  }
}

type LabelPair = readonly [name: string, value: string]

function pair(labels: readonly string[], values: readonly string[]): LabelPair[] {
  return labels
    .map((label, place): LabelPair => [label, values[place] ?? ''])
    .filter(([, value]) => value !== '')
}

function printFamily({ name, help }: Description, type: string, samples: readonly string[]): string {
  const text = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return `# HELP ${name} ${text}\n# TYPE ${name} ${type}\n${samples.join('')}`
}

function printSample(name: string, pairs: readonly LabelPair[], value: number): string {
  const labels = pairs.map(([label, text]) => `${label}="${escapeLabel(text)}"`).join(',')
  return `${name}${labels === '' ? '' : `{${labels}}`} ${printNumber(value)}\n`
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

export function printNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}

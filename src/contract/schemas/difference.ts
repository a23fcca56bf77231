/** Something that a narrower schema lets through and a wider one may not: why the one is not within the other. */
export interface SchemaDifference {
  /** Where, from the root of the value: `filter.tags[]`. */
  readonly place: string
  readonly keyword: string
  /** What each of the two says there. */
  readonly narrow: unknown
  readonly wide: unknown
  /** Whether there is such a value, or nobody can say. */
  readonly isCertain: boolean
}

/** The two sides of a comparison, and where it is just now. */
export interface SchemaWay {
  readonly place: string
  readonly roots: { readonly narrow: unknown; readonly wide: unknown }
  /** Whether a member that the wider side does not name is lost to it, or nothing to it. */
  readonly unnamed: 'lost' | 'welcome'
  /** Pairs that are being compared further up: a circle of references adds nothing. */
  readonly pairs: ReadonlySet<string>
  readonly effort: { left: number }
  /** Compares what stands further in. */
  covers(narrow: unknown, wide: unknown, way: SchemaWay): readonly SchemaDifference[]
}

/** One certain difference at a place. */
export function differ(
  { place }: SchemaWay,
  keyword: string,
  { narrow, wide }: { readonly narrow: unknown; readonly wide: unknown },
): SchemaDifference {
  return { place, keyword, narrow, wide, isCertain: true }
}

export function unsure(difference: SchemaDifference): SchemaDifference {
  return { ...difference, isCertain: false }
}

/** The way on to a member, or to what is in a list. */
export function into(way: SchemaWay, step: string): SchemaWay {
  const dot = way.place === '' || step.startsWith('[') ? '' : '.'
  return { ...way, place: `${way.place}${dot}${step}` }
}

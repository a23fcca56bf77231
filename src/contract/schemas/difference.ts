/** Something that a narrower schema lets through and a wider one may not: why the one is not within the other. */
export interface Difference {
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
export interface Way {
  readonly place: string
  readonly roots: { readonly narrow: unknown; readonly wide: unknown }
  /** Whether a member that the wider side does not name is lost to it, or nothing to it. */
  readonly unnamed: 'lost' | 'welcome'
  /** Pairs that are being compared further up: a circle of references adds nothing. */
  readonly pairs: ReadonlySet<string>
  readonly effort: { left: number }
  /** Compares what stands further in. */
  covers(narrow: unknown, wide: unknown, way: Way): readonly Difference[]
}

/** One certain difference at a place. */
export function differ(
  { place }: Way,
  keyword: string,
  { narrow, wide }: { readonly narrow: unknown; readonly wide: unknown },
): Difference {
  return { place, keyword, narrow, wide, isCertain: true }
}

export function unsure(difference: Difference): Difference {
  return { ...difference, isCertain: false }
}

/** The way on to a member, or to what is in a list. */
export function into(way: Way, step: string): Way {
  const dot = way.place === '' || step.startsWith('[') ? '' : '.'
  return { ...way, place: `${way.place}${dot}${step}` }
}

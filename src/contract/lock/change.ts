/** What a change means for those who call. */
export type CallerVerdict = 'breaking' | 'undecided' | 'compatible' | 'wording'

/** Something that is not as it was. */
export interface CallerChange {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template'
  readonly name: string
  readonly verdict: CallerVerdict
  /** What changed, in a few words. */
  readonly words: string
}

/** What is found of an offer. */
export type Finding = Pick<CallerChange, 'verdict' | 'words'>

/** The worst comes first. */
export const VERDICTS: readonly CallerVerdict[] = ['breaking', 'undecided', 'compatible', 'wording']

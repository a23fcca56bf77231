/** What a change means for those who call. */
export type Verdict = 'breaking' | 'undecided' | 'compatible' | 'wording'

/** Something that is not as it was. */
export interface Change {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template'
  readonly name: string
  readonly verdict: Verdict
  /** What changed, in a few words. */
  readonly words: string
}

/** The worst comes first. */
export const VERDICTS: readonly Verdict[] = ['breaking', 'undecided', 'compatible', 'wording']

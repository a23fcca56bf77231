/** What the arguments of several file tools have in common. */
export const FILE = {
  type: 'string',
  description: 'The file, relative to the root directory, or absolute and inside a root.',
} as const

export const FOLDER = {
  type: 'string',
  description:
    'The directory, relative to the root directory, or absolute and inside a root; "." unless said.',
} as const

export const IGNORED = {
  type: 'boolean',
  description: 'Whether to look at what .gitignore names as well; not unless said.',
} as const

export const CURSOR = {
  type: 'string',
  maxLength: 32_768,
  description: 'nextCursor of the page before, to go on from there.',
} as const

export const MORE = {
  type: 'string',
  description: 'There is more: this is the cursor of the next page.',
} as const

export function limitOf(few: number, most: number) {
  return {
    type: 'integer',
    minimum: 1,
    maximum: most,
    description: `How many make a page; ${few} unless said.`,
  } as const
}

export const READS = { readOnlyHint: true, openWorldHint: false } as const

/** Hints of a tool that adds something and takes nothing away. */
export const ADDS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

export const CHANGES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
} as const

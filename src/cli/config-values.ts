import { describe } from '../kernel/index.ts'
import type { Setting } from '../servers/ready-server.ts'
import type { GivenSettings } from './config-file.ts'
import type { SettingTable } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** Refuses what is not of the kind that its setting has: whatever it was to say, it would say something else. */
export function checkValues(path: string, given: GivenSettings, known: SettingTable): void {
  for (const [name, value] of Object.entries(given)) {
    const wrong = whyNot(name, value, known[name])
    if (wrong !== undefined) throw new UsageError(`config: ${path}: ${wrong}`)
  }
}

function whyNot(name: string, value: unknown, setting: Setting | undefined): string | undefined {
  const { fits, expected } = KINDS[setting?.value ?? setting?.kind ?? 'one']
  if (!fits(value)) return `${name}: expected ${expected}, got ${tell(value)}`
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  const at = entries.findIndex((entry) => !isText(entry))
  return at < 0 ? undefined : `${name}[${at}]: expected ${KINDS.one.expected}, got ${tell(entries[at])}`
}

const isText = (value: unknown): value is string => typeof value === 'string'

interface SettingKind {
  readonly expected: string
  /** Texts are looked at by whoever reads them from flags and variables as well. */
  readonly fits: (value: unknown) => boolean
}

const KINDS: Readonly<Record<NonNullable<Setting['kind'] | Setting['value']>, SettingKind>> = {
  one: { expected: 'a text in quotes', fits: isText },
  number: { expected: 'a number', fits: (value) => isText(value) || typeof value === 'number' },
  many: {
    expected: 'a text in quotes, or a list of them',
    fits: (value) => isText(value) || Array.isArray(value),
  },
  switch: {
    expected: 'true or false',
    fits: (value) => isText(value) || typeof value === 'boolean' || typeof value === 'number',
  },
}

/** A number instead of a text may be a key. */
function tell(value: unknown): string {
  return typeof value === 'number' ? 'a number' : describe(value)
}

import { short } from '../model/text.ts'
import { catalogue } from '../state/catalogue.ts'
import { HOME, select, side } from '../state/selection.ts'
import {
  chooseRevision,
  chooseTheme,
  hello,
  revision,
  standing,
  type Theme,
  talk,
  theme,
} from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { Choose } from './choose.tsx'
import { Moon } from './moon.tsx'
import { Plain } from './plain.tsx'

const WORDS = {
  'no-key': 'no key',
  connecting: 'connecting',
  live: 'live',
  gone: 'server gone',
  refused: 'refused',
  asleep: 'asleep',
} as const

/** Who one is connected to, how, and the few switches of the page. */
export function TopBar({ help }: { readonly help: () => void }) {
  const { phase } = useStore(standing)
  const greeting = useStore(hello)
  const { tokens } = useStore(catalogue)
  return (
    <header class="top-bar">
      <h1 class="hidden">Perigee console</h1>
      <button
        type="button"
        class="brand"
        onClick={() => select(HOME)}
        aria-label="Perigee console, to the overview"
      >
        <Moon size={34} />
        <span class="wordmark">Perigee</span>
      </button>
      {greeting !== undefined && (
        <span class="server-name">
          <Plain text={greeting.server.title ?? greeting.server.name} />
        </span>
      )}
      <span class="standing" role="status">
        <span class={`dot ${phase}`} aria-hidden="true" />
        {WORDS[phase]}
      </span>
      <span class="spring" />
      {tokens > 0 && (
        <span class="meter quiet" title="What a model reads to know all tools, estimated">
          ≈ {short(tokens)} tokens
        </span>
      )}
      {greeting !== undefined && <RevisionSwitch revisions={greeting.revisions} />}
      <ThemeSwitch />
      <button type="button" class="small" onClick={help} aria-label="Keyboard shortcuts">
        ?
      </button>
    </header>
  )
}

function RevisionSwitch({ revisions }: { readonly revisions: readonly string[] }) {
  const chosen = useStore(revision)
  const { client } = useStore(talk)
  const now = chosen === '' && client !== undefined ? `${client.revision.id} (newest)` : 'newest'
  return (
    <Choose
      label="Revision this page speaks"
      value={chosen}
      change={chooseRevision}
      options={[['', now], ...[...revisions].reverse().map((one) => [one, one] as const)]}
    />
  )
}

const THEMES: readonly Theme[] = ['auto', 'light', 'dark']
const SIGNS: { readonly [name in Theme]: string } = { auto: '◐', light: '○', dark: '●' }

export function nextTheme(): void {
  chooseTheme(THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto')
}

function ThemeSwitch() {
  const chosen = useStore(theme)
  return (
    <button
      type="button"
      class="small"
      onClick={nextTheme}
      aria-label={`Theme: ${chosen}. Change it`}
      title={`Theme: ${chosen}`}
    >
      {SIGNS[chosen]}
    </button>
  )
}

/** On a narrow screen: which part of the page is shown. */
export function SideSwitch() {
  const shown = useStore(side)
  const parts = [
    ['left', 'Catalogue'],
    ['middle', 'Call'],
    ['right', 'Messages'],
  ] as const
  return (
    <nav class="side-switch" aria-label="Parts of the page">
      {parts.map(([part, label]) => (
        <button
          key={part}
          type="button"
          aria-current={part === shown ? 'true' : undefined}
          onClick={() => side.set(part)}
        >
          {label}
        </button>
      ))}
    </nav>
  )
}

import { select, side } from '../state/selection.ts'
import { nextTheme } from './top-bar.tsx'

const KEYS: { readonly [key: string]: () => void } = {
  '/': () => focus('left', '#filter'),
  m: () => focus('right', '#message-filter'),
  l: () => focus('right', '.rows'),
  c: () => focus('middle', '.workspace :is(form, .card) :is(input, textarea, select, button)'),
  h: () => select({ kind: 'history', key: '' }),
  t: nextTheme,
}

/** One key each, where nobody is typing. Gives what stops listening. */
export function listenForShortcuts(help: () => void): () => void {
  const hear = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (event.key === 'Escape' && isTyping) return (event.target as HTMLElement).blur()
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const act = event.key === '?' ? help : KEYS[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  document.addEventListener('keydown', hear)
  return () => document.removeEventListener('keydown', hear)
}

/** At once, or the next key would go elsewhere; on a narrow screen the part has to be drawn first. */
function focus(part: 'left' | 'middle' | 'right', selector: string): void {
  side.set(part)
  const reach = () => document.querySelector<HTMLElement>(selector)?.focus()
  reach()
  requestAnimationFrame(reach)
}

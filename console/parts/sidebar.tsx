import { useState } from 'preact/hooks'
import type { Tool } from '../../src/client/results.ts'
import { findBoards } from '../model/board.ts'
import { cut, showUnseen } from '../model/text.ts'
import { catalogue } from '../state/catalogue.ts'
import { isSelected, type Selection, select, selection } from '../state/selection.ts'
import { serverState } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { tasks } from '../state/tasks.ts'
import { Plain } from './plain.tsx'
import { SearchField } from './search-field.tsx'

interface Entry {
  readonly kind: Selection['kind']
  readonly key: string
  readonly label: string
  /** What else it is found by. */
  readonly more?: string
  readonly state?: string
}

interface Group {
  readonly name: string
  readonly entries: readonly Entry[]
  readonly error?: string | undefined
  /** Whether it is worth a line while it is empty. */
  readonly always?: boolean
}

const MOST_SHOWN = 300

/** Everything the server has, and everything that is going on at it. */
export function Sidebar() {
  const [filter, setFilter] = useState('')
  const groups = useGroups()
  const words = filter.toLowerCase()
  const fits = ({ label, key, more }: Entry) => `${label} ${key} ${more ?? ''}`.toLowerCase().includes(words)
  const shown = groups
    .map((group) => ({ ...group, entries: group.entries.filter(fits) }))
    .filter(
      ({ entries, error, always }) =>
        entries.length > 0 || error !== undefined || (always === true && words === ''),
    )
  return (
    <nav class="sidebar" aria-label="Catalogue" onKeyDown={walk}>
      <div class="filter">
        <SearchField id="filter" label="Filter" hint="Filter  /" value={filter} change={setFilter} />
      </div>
      <Item entry={{ kind: 'home', key: '', label: 'Overview' }} />
      <Item entry={{ kind: 'history', key: '', label: 'History of calls' }} />
      {shown.map((group) => (
        <section key={group.name} class="group">
          <h2>
            <Plain text={group.name} /> <span class="quiet">{group.entries.length}</span>
          </h2>
          {group.error !== undefined && (
            <p class="complaint">
              <Plain text={cut(group.error, 300)} />
            </p>
          )}
          <ul>
            {group.entries.slice(0, MOST_SHOWN).map((entry) => (
              <li key={`${entry.kind} ${entry.key}`}>
                <Item entry={entry} />
              </li>
            ))}
          </ul>
          {group.entries.length > MOST_SHOWN && (
            <p class="quiet">… and {group.entries.length - MOST_SHOWN} more: filter for them</p>
          )}
        </section>
      ))}
      {shown.length === 0 && <p class="quiet empty">Nothing here is called that.</p>}
    </nav>
  )
}

function Item({ entry }: { readonly entry: Entry }) {
  const chosen = isSelected(useStore(selection), entry)
  return (
    <button
      type="button"
      class="entry"
      aria-current={chosen ? 'page' : undefined}
      title={showUnseen(cut(entry.key, 200))}
      onClick={() => select({ kind: entry.kind, key: entry.key })}
    >
      {entry.state !== undefined && <span class={`dot ${entry.state}`} aria-hidden="true" />}
      <span class="entry-label">
        <Plain text={cut(entry.label, 120)} />
      </span>
      {entry.state !== undefined && <span class="entry-state">{entry.state.replace('_', ' ')}</span>}
    </button>
  )
}

/** Arrow keys go from entry to entry. */
function walk(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('#filter, .entry')]
  const at = entries.indexOf(document.activeElement as HTMLElement) // Any other finds nothing.
  const next = entries[at + step]
  if (at < 0 || next === undefined) return
  event.preventDefault()
  next.focus()
}

/** The lists of the catalogue, then what lives at the server. A panel of its own is one more group here. */
function useGroups(): readonly Group[] {
  const { tools, resources, templates, prompts, errors } = useStore(catalogue)
  const { sessions, nodes, upstreams = [] } = useStore(serverState)
  const known = useStore(tasks)
  return [
    {
      name: 'Upstreams',
      entries: upstreams.map(({ name, state, changed }) => ({
        kind: 'upstream',
        key: name,
        label: name,
        state: changed.length > 0 ? 'changed' : state,
      })),
    },
    {
      name: 'Boards',
      entries: findBoards(tools).map(({ key }) => ({
        kind: 'board',
        key,
        label: key === '' ? 'Board of tasks' : `Board of ${key}tasks`,
      })),
    },
    ...toolGroups(
      tools.map((one) => ({ of: groupOf(one), entry: offered('tool', one.name, one) })),
      errors['tools'],
    ),
    {
      name: 'Prompts',
      entries: prompts.map((one) => offered('prompt', one.name, one)),
      error: errors['prompts'],
    },
    {
      name: 'Resources',
      entries: resources.map((one) => offered('resource', one.uri, one)),
      error: errors['resources'],
    },
    { name: 'Templates', entries: templates.map((one) => offered('template', one.uriTemplate, one)) },
    {
      name: 'Tasks',
      entries: known.map(({ taskId, tool, status }) => ({
        kind: 'task',
        key: taskId,
        label: tool,
        state: status,
      })),
      always: true,
    },
    {
      name: 'Sessions',
      entries: sessions.map(({ id, client, busy }) => ({
        kind: 'session',
        key: id,
        label: client?.name ?? id,
        state: busy ? 'busy' : 'idle',
      })),
      always: true,
    },
    {
      name: 'Nodes',
      entries: nodes.map(({ id, self, trouble }) => ({
        kind: 'node',
        key: id,
        label: id,
        state: trouble === undefined ? (self ? 'this one' : 'alive') : 'in trouble',
      })),
      always: true,
    },
  ]
}

function offered(
  kind: Entry['kind'],
  key: string,
  one: { name: string; title?: string; description?: string },
): Entry {
  return { kind, key, label: one.title ?? one.name, more: `${one.name} ${one.description ?? ''}` }
}

/** What a server with many tools says of each: which of its parts it belongs to. */
function groupOf({ _meta }: Pick<Tool, '_meta'>): string {
  const said = _meta?.['perigee/group']
  return typeof said === 'string' ? cut(said, 40) : ''
}

/** One group, or one for each part that the server names. */
function toolGroups(
  tools: readonly { readonly of: string; readonly entry: Entry }[],
  error: string | undefined,
): readonly Group[] {
  const names = [...new Set(tools.map(({ of }) => of))].toSorted(
    (one, other) => Number(one !== '') - Number(other !== ''),
  )
  if (names.length > MOST_GROUPS || names.every((name) => name === ''))
    return [{ name: 'Tools', entries: tools.map(({ entry }) => entry), error, always: true }]
  return names.map((name, place) => ({
    name: name === '' ? 'Tools' : `Tools: ${name}`,
    entries: tools.filter(({ of }) => of === name).map(({ entry }) => entry),
    error: place === 0 ? error : undefined,
  }))
}

/** More than that would be no overview. */
const MOST_GROUPS = 20

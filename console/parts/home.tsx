import type { Tool } from '../../src/client/results.ts'
import { cut, short } from '../model/text.ts'
import { catalogue } from '../state/catalogue.ts'
import { select } from '../state/selection.ts'
import { hello, serverState, talk } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { ContextCard } from './context-card.tsx'
import { Markdown } from './markdown.tsx'
import { Orbit } from './moon.tsx'
import { Plain } from './plain.tsx'
import { Usage } from './usage.tsx'

const MOST_SUGGESTED = 6

/** What this server is, what it costs to know, and where to begin. */
export function Home() {
  const greeting = useStore(hello)
  const { tools, resources, templates, prompts, tokens, loaded } = useStore(catalogue)
  const { client } = useStore(talk)
  const { usage, context } = useStore(serverState)
  if (greeting === undefined) return null
  const { server } = greeting
  return (
    <>
      <header class="offer-head hero">
        <Orbit />
        <p class="eyebrow">
          Server <span class="quiet">{client === undefined ? '' : `speaks ${client.revision.id}`}</span>
        </p>
        <h1>
          <Plain text={cut(server.title ?? server.name, 160)} />
        </h1>
        <p class="address">
          <Plain text={cut(`${server.name} ${server.version}`, 160)} />
        </p>
        {server.description !== undefined && <Markdown text={server.description} />}
      </header>
      <dl class="figures">
        <Figure name="tools" value={String(tools.length)} />
        <Figure name="resources" value={String(resources.length)} />
        <Figure name="templates" value={String(templates.length)} />
        <Figure name="prompts" value={String(prompts.length)} />
        <Figure name="tokens a model reads to know the tools" value={`≈ ${short(tokens)}`} />
      </dl>
      {loaded && tools.length > 0 && (
        <section aria-label="Where to begin">
          <h2 class="begin">Begin with one of these</h2>
          <ul class="suggestions">
            {easiest(tools).map((tool) => (
              <li key={tool.name}>
                <button type="button" onClick={() => select({ kind: 'tool', key: tool.name })}>
                  <strong>
                    <Plain text={cut(tool.title ?? tool.name, 80)} />
                  </strong>
                  <span>
                    <Plain text={tease(tool.description ?? '')} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {client?.instructions !== undefined && (
        <section class="card" aria-label="Instructions">
          <h2>What the server tells a model first</h2>
          <Markdown text={client.instructions} />
        </section>
      )}
      {context !== undefined && <ContextCard context={context} />}
      {Object.keys(usage).length > 0 && <Usage usage={usage} />}
    </>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** A line or two of it. */
function tease(text: string): string {
  const begun = cut(text.split('\n')[0] ?? '', 120)
  return begun === text ? text : `${begun.replace(/\s+\S*$/, '')} …`
}

/** What has a page of its own is nicest to see; then what wants the least. */
function easiest(tools: readonly Tool[]): readonly Tool[] {
  const wanted = ({ inputSchema, _meta }: Tool) => {
    const { required } = inputSchema
    return (_meta !== undefined && 'ui' in _meta ? -10 : 0) + (Array.isArray(required) ? required.length : 0)
  }
  return [...tools].sort((one, two) => wanted(one) - wanted(two)).slice(0, MOST_SUGGESTED)
}

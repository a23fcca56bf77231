import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isRecord, type JsonRecord } from '../model/json.ts'
import { cutFrom } from '../model/shown.ts'
import { cut, short } from '../model/text.ts'
import type { Call } from '../state/calls.ts'
import { catalogue } from '../state/catalogue.ts'
import { talk } from '../state/session.ts'
import { AppFrame } from './app-frame.tsx'
import { Content, Contents, TextContent } from './content.tsx'
import { JsonTree } from './json-tree.tsx'
import { Models } from './models.tsx'
import { Long, Plain } from './plain.tsx'

type View = 'app' | 'shown' | 'structured' | 'models' | 'raw'

const NAMES: { readonly [view in View]: string } = {
  app: 'App',
  shown: 'Result',
  structured: 'Structured',
  models: 'Models',
  raw: 'Raw',
}

/** What a call gave: as a person would see it, and as it came. */
export function Result({ call }: { readonly call: Call }) {
  const result = call.result ?? {}
  const app = useApp(call)
  const structured = result['structuredContent']
  const views: readonly View[] = [
    ...(app === undefined ? [] : (['app'] as const)),
    'shown',
    ...(structured === undefined ? [] : (['structured'] as const)),
    ...(Array.isArray(result['content']) ? (['models'] as const) : []),
    'raw',
  ]
  const [chosen, choose] = useState<View>()
  const view = chosen ?? views[0] ?? 'shown'
  return (
    <div class={result['isError'] === true ? 'result is-error' : 'result'}>
      <div class="ways" role="group" aria-label="Show the result as">
        {views.map((one) => (
          <button key={one} type="button" aria-pressed={one === view} onClick={() => choose(one)}>
            {NAMES[one]}
          </button>
        ))}
        {call.tokens !== undefined && <Weight tokens={call.tokens} result={result} />}
      </div>
      {view === 'app' && app !== undefined && (
        <AppFrame
          html={app}
          name={call.target.name}
          args={'args' in call.target ? call.target.args : {}}
          result={result}
        />
      )}
      {view === 'shown' && <Shown result={result} />}
      {view === 'structured' && <TextContent text={JSON.stringify(structured)} mimeType="application/json" />}
      {view === 'models' && <Models result={result} />}
      {view === 'raw' && (
        <pre class="code raw" tabIndex={0}>
          <Long text={JSON.stringify(result, null, 2)} />
        </pre>
      )}
    </div>
  )
}

/** What it costs a model, and what it would have without a budget. */
function Weight({ tokens, result }: { readonly tokens: number; readonly result: JsonRecord }) {
  const whole = cutFrom(result)
  return (
    <span class="quiet meter">
      ≈ {short(tokens)} tokens
      {whole !== undefined && `, of ${short(whole.tokens)} cut to a budget of ${short(whole.to)}`}
    </span>
  )
}

/** Content of a tool, contents of a resource, messages of a prompt. */
function Shown({ result }: { readonly result: JsonRecord }): ComponentChildren {
  const { content, contents, messages } = result
  if (Array.isArray(content))
    return content.length === 0 ? (
      <p class="quiet">Nothing: the content is empty.</p>
    ) : (
      content.map((block, at) => <Content key={at} block={block} />)
    )
  if (Array.isArray(contents))
    return contents.filter(isRecord).map((one, at) => <Contents key={at} contents={one} />)
  if (Array.isArray(messages)) return <Messages messages={messages} />
  return <JsonTree value={result} />
}

/** What is said to a model, by whom. */
export function Messages({ messages }: { readonly messages: readonly unknown[] }) {
  return (
    <ol class="said">
      {messages.filter(isRecord).map((message, at) => (
        <li key={at}>
          <span class="role">
            <Plain text={cut(String(message['role']), 40)} />
          </span>
          {(Array.isArray(message['content']) ? message['content'] : [message['content']]).map(
            (block, index) => (
              <Content key={index} block={block} />
            ),
          )}
        </li>
      ))}
    </ol>
  )
}

/** The page that a tool is shown by, or that came with its result. */
function useApp({ target, result }: Call): string | undefined {
  const [html, show] = useState<string>()
  const uri = target.kind === 'tool' ? appOf(target.name) : undefined
  useEffect(() => {
    const inside = pageInside(result)
    if (inside !== undefined) return show(inside)
    if (uri === undefined || result === undefined) return
    let wanted = true
    const read = async () => {
      const page = pageInside(await talk.value.client?.read(uri))
      if (wanted && page !== undefined) show(page)
    }
    read().catch(() => {}) // The result is there without it.
    return () => {
      wanted = false
    }
  }, [uri, result])
  return html
}

function appOf(tool: string): string | undefined {
  const meta = catalogue.value.tools.find((one) => one.name === tool)?._meta
  const ui = meta?.['ui']
  const uri = isRecord(ui) ? ui['resourceUri'] : meta?.['ui/resourceUri']
  return typeof uri === 'string' && uri.startsWith('ui://') ? uri : undefined
}

function pageInside(result: JsonRecord | undefined): string | undefined {
  const blocks = [result?.['contents'], result?.['content']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  for (const block of blocks) {
    const contents = isRecord(block) && isRecord(block['resource']) ? block['resource'] : block
    if (!isRecord(contents) || typeof contents['text'] !== 'string') continue
    const isPage =
      String(contents['uri']).startsWith('ui://') && /^text\/html/.test(String(contents['mimeType']))
    if (isPage) return contents['text']
  }
  return undefined
}

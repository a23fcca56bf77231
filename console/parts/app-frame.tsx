import { useEffect, useRef, useState } from 'preact/hooks'
import { isRecord, type JsonRecord } from '../model/json.ts'
import { safeLink } from '../model/text.ts'
import { askForApp } from '../state/questions.ts'
import { talk, theme } from '../state/session.ts'

export interface AppProps {
  readonly html: string
  readonly name: string
  readonly args: unknown
  readonly result: unknown
}

const PROTOCOL_VERSION = '2026-01-26'
const [LOWEST, HIGHEST] = [80, 1600]

/** What an app may say in a second, before it is taken away, and what it may ask at once. */
const [MOST_SAID, MOST_OPEN] = [500, 16]

/** A server's own page in a frame that can do nothing but draw, and speak with this page as MCP Apps do. */
export function AppFrame(props: AppProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(320)
  useEffect(() => {
    const view = frame.current
    if (view === null) return
    return host(view, props, setHeight)
  }, [props.html, props.result])
  if (height === 0) return <p class="complaint">This app said more than anybody can hear, and was stopped.</p>
  return (
    <iframe
      ref={frame}
      class="app"
      title={`The app of ${props.name}`}
      sandbox="allow-scripts"
      src="console/frame"
      style={{ height: `${height}px` }}
    />
  )
}

/** Hands the page over once the frame is there, then answers what it says. Gives what ends it. */
function host(frame: HTMLIFrameElement, props: AppProps, resize: (height: number) => void): () => void {
  const stop = new AbortController()
  const post = (message: unknown) => frame.contentWindow?.postMessage(message, '*')
  const send = (message: JsonRecord) => post({ jsonrpc: '2.0', ...message })
  const { signal } = stop
  frame.addEventListener('load', () => post({ type: 'perigee/frame', html: props.html }), {
    once: true,
    signal,
  })
  const isTooMuch = createMeter()
  let open = 0
  const hear = ({ source, data, timeStamp }: MessageEvent) => {
    if (source !== frame.contentWindow) return
    if (isTooMuch(timeStamp)) return resize(0)
    if (!isRecord(data) || typeof data['method'] !== 'string') return
    const params = isRecord(data['params']) ? data['params'] : {}
    if (data['id'] !== undefined) return void respond(data['id'], data['method'], params)
    if (data['method'] === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: props.args } })
      send({ method: 'ui/notifications/tool-result', params: props.result })
    }
    const { height } = params
    if (data['method'] === 'ui/notifications/size-changed' && typeof height === 'number')
      resize(Math.min(HIGHEST, Math.max(LOWEST, height)))
  }
  const respond = async (id: unknown, method: string, params: JsonRecord) => {
    try {
      if (++open > MOST_OPEN) throw new Error('Too many requests are open')
      send({ id, result: await answer(method, params, { name: props.name, signal }) })
    } catch (error) {
      const { code, message } = error as { code?: number; message: string }
      send({ id, error: { code: code ?? -32603, message } })
    } finally {
      open--
    }
  }
  window.addEventListener('message', hear, { signal })
  tellTheme(send, signal)
  return () => {
    send({ id: 'last', method: 'ui/resource-teardown', params: {} })
    stop.abort()
  }
}

/** Tells an app of the theme, whenever that changes. */
function tellTheme(send: (message: JsonRecord) => void, signal: AbortSignal): void {
  const tell = () => send({ method: 'ui/notifications/host-context-changed', params: { theme: themeNow() } })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell, { signal })
  signal.addEventListener('abort', theme.subscribe(tell))
}

/** Tells, of each thing that is said, whether it is more than may be said in a second. */
function createMeter(): (now: number) => boolean {
  let [said, since] = [0, 0]
  return (now) => {
    if (now - since > 1000) [said, since] = [0, now]
    return ++said > MOST_SAID
  }
}

function themeNow(): 'light' | 'dark' {
  if (theme.value !== 'auto') return theme.value
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

interface Asking {
  readonly name: string
  readonly signal: AbortSignal
}

/** What an app may ask of its host; whatever does something is for a person to allow. */
async function answer(method: string, params: JsonRecord, { name, signal }: Asking): Promise<unknown> {
  if (method === 'ping' || method === 'ui/message') return {}
  if (method === 'ui/initialize') return introduction()
  if (method === 'ui/request-display-mode') return { mode: 'inline' }
  if (method === 'ui/open-link') return openLink(String(params['url'] ?? ''), name, signal)
  if (method === 'tools/call') return callTool(params, name, signal)
  if (method === 'resources/read' && typeof params['uri'] === 'string')
    return client().read(params['uri'], { signal })
  throw Object.assign(new Error('Method not found'), { code: -32601 })
}

function introduction(): unknown {
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return {
    protocolVersion: PROTOCOL_VERSION,
    hostInfo: { name: 'perigee-console', version: '1' },
    hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} },
    hostContext: {
      theme: themeNow(),
      locale,
      timeZone,
      displayMode: 'inline',
      availableDisplayModes: ['inline'],
      platform: 'web',
    },
  }
}

async function openLink(url: string, name: string, signal: AbortSignal): Promise<unknown> {
  const safe = safeLink(url)
  if (safe === undefined)
    throw Object.assign(new Error('Only http, https and mailto are opened'), { code: -32602 })
  await askForApp({ wants: 'link', name: safe }, name, signal)
  return {}
}

async function callTool(params: JsonRecord, name: string, signal: AbortSignal): Promise<unknown> {
  const tool = String(params['name'] ?? '')
  const args = isRecord(params['arguments']) ? params['arguments'] : {}
  await askForApp({ wants: 'call', name: tool, args }, name, signal)
  return client().callTool(tool, args, { signal })
}

function client() {
  const { client: open } = talk.value
  if (open === undefined) throw new Error('The page is not connected')
  return open
}

// What the bare loops answer: one switch, nothing is checked. They show what the machine could do at best.

export interface RawRequest {
  readonly id?: unknown
  readonly method?: string
  readonly params?: {
    readonly protocolVersion?: string
    readonly name?: string
    readonly arguments?: { readonly [name: string]: string | number }
  }
}

const INFO = { name: 'raw', version: '1.0.0' }
const CAPABILITIES = { tools: { listChanged: true }, logging: {} }

const text = (type: string) => ({ type })
const schema = (properties: { readonly [name: string]: object }) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** The tools that every server of the benchmark has, and as many more as the environment says. */
export const TOOLS = [
  { name: 'echo', description: 'Says it again', inputSchema: schema({ message: text('string') }) },
  {
    name: 'add',
    description: 'Adds two numbers',
    inputSchema: schema({ a: text('number'), b: text('number') }),
  },
  { name: 'notify', description: 'Sends log notices', inputSchema: schema({ count: text('number') }) },
  { name: 'announce', description: 'Tells every session of a change', inputSchema: schema({}) },
  ...Array.from({ length: Number(process.env['BENCH_TOOLS'] ?? 0) }, (_, number) => ({
    name: `extra_${number}`,
    description: `Tool number ${number}, which is there to be listed`,
    inputSchema: schema({ path: text('string'), limit: text('number') }),
  })),
]

const NOTICE = {
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', logger: 'bench', data: 'a notice' },
}

export const CHANGE = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })

/** Prints the answer; whatever has to be said before it goes to `say`. */
export function answer({ id, method, params }: RawRequest, say: (notice: string) => void): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params, say) })
}

function resultOf(
  method: string | undefined,
  params: RawRequest['params'],
  say: (notice: string) => void,
): object {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params?.protocolVersion, capabilities: CAPABILITIES, serverInfo: INFO }
    case 'tools/list':
      return { resultType: 'complete', tools: TOOLS }
    case 'tools/call':
      return { resultType: 'complete', content: [{ type: 'text', text: run(params, say) }] }
    default:
      return { resultType: 'complete' }
  }
}

function run(params: RawRequest['params'], say: (notice: string) => void): string {
  const args = params?.arguments ?? {}
  switch (params?.name) {
    case 'echo':
      return String(args['message'])
    case 'add':
      return String(Number(args['a']) + Number(args['b']))
    case 'notify':
      for (let sent = 0; sent < Number(args['count']); sent++) say(JSON.stringify(NOTICE))
      return 'sent'
    default:
      return ''
  }
}

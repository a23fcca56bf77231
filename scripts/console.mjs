// Makes of console/ the page that servers show on request: dist/console/, one script, one style, no request elsewhere.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

/** Tests build it as well, and what is for development must not be in it. */
process.env.NODE_ENV = 'production'

const ROOT = join(import.meta.dirname, '..')
const FROM = join(ROOT, 'console')
const OUT = join(ROOT, 'dist', 'console')

/** The id of a response that is too deep, by its first words: ours are numbers, and stand before the rest. */
const GLIMPSE = `export const glimpse = (text) => ({ isResponse: true, response: { id: Number(/"id":(\\d+)/.exec(text)?.[1]) } })`

/** How deep a text is, in fewer words than where every call is looked at. */
const DEPTH = `export const [endOfString, MAX_DEPTH, tooDeep] = [Number, 256, (text) => {
  let open = 0
  for (const one of text.replace(/"(\\\\.|[^"\\\\])*"/g, '')) {
    open += '[{'.includes(one) - ']}'.includes(one)
    if (open > 256) return true
  }
}]`

/** The list in a result, which our own servers have looked at. */
const RESULTS = `export const checkList = (method, result) => result[/templ/.test(method) ? 'resourceTemplates' : method.split('/')[0]]
export const [checkResult, checkQuestions] = [(_method, result) => result, (result) => result]
export const nonsense = (method, wrong) => new Error(method + ': ' + wrong)`

/** How something is called off, for whom it takes no time to make what the browser has for that. */
const STOP = `export function Stop() { const own = new AbortController(); return Object.assign(own.signal, { abort: (reason) => own.abort(reason) }) }
export const toAbortSignal = (signal) => signal
export function follow(controller, ...signals) {
  const each = (name) => { for (const one of signals) one?.[name]('abort', abort) }
  const abort = () => controller.abort(signals.find((one) => one?.aborted)?.reason)
  if (signals.some((one) => one?.aborted)) abort()
  each('addEventListener')
  return () => each('removeEventListener')
}`

/** The events of a stream, as our own servers write them, and text in pieces, of which they send few. */
const EVENTS = `export const tooMuch = Error
export async function* readEvents(body) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    const events = (text + decoder.decode(chunk, { stream: true })).split('\\n\\n')
    text = events.pop()
    for (const event of events) {
      const [id, retryMs, name = 'message', data] = ['id', 'retry', 'event', 'data'].map((field) => RegExp('(?:^|\\n)' + field + ': ([^\\n]*)').exec(event)?.[1])
      yield { id, retryMs, name, data }
    }
  }
}`
/** A session, which our own servers name in letters that go into a header, and do not forget again at once. */
const SESSION = `export class HttpSession {
  state = {}
  constructor(open) { this.open = open }
  get isKept() { return !!(this.state.id || this.lost) }
  begin(id) { this.state = { id: id ?? undefined } }
  agreed(revision) { this.state = { ...this.state, revision } }
  proved() {}
  ready() { return this.lost ? this.reopen(this.state) : this.again }
  giveUp(refusal) { throw refusal }
  reopen(lost) {
    if (lost !== this.state || this.again) return Promise.resolve(this.again)
    this.state = {}
    this.lost = true
    return (this.again = this.open().then(() => { this.lost = false }).finally(() => { this.again = undefined }))
  }
}`
const PIECES = `export class TextPieces {
  text = ''
  add(piece) { this.text += piece }
  take() { return this.text }
}`

/** What a server alone says of a mistake, so that it need not be on the page: which name was meant, where JSON breaks off. */
const UNSAID = {
  'client/wires/stop.ts': STOP,
  'client/wires/events.ts': EVENTS,
  'client/wires/text-pieces.ts': PIECES,
  'client/intake.ts': `export { parse as parseWithin } from '../kernel/index.ts'`,
  'process/own-turn.ts': 'export const LARGE = 1 / 0, ownTurn = async () => {}, goOn = (_size, run) => run()', // The page has one user.
  'kernel/jsonrpc/depth.ts': DEPTH,
  'client/results.ts': RESULTS,
  'kernel/jsonrpc/glimpse.ts': GLIMPSE,
  // Nor how servers of others go wrong: the page speaks to the one that it is of.
  'client/no-answer.ts':
    'export const noAnswer = (_request, fault) => fault, noMessage = noAnswer, brokenOff = Error',
  // To that one it comes back at one pace, and trusts it to say where to post.
  'client/pace.ts':
    'export const STREAM_PACE = { longestMs: 3e4 }; export class Pace { next(leastMs = 500) { return leastMs } done() {} reset() {} }',
  'client/wires/unreachable.ts': `import { ClientError } from '../errors.ts'
export const unreachable = (url, cause) => new ClientError('lost', \`The connection to \${url.origin} broke: \${cause.message}\`)`,
  'client/wires/http-session.ts': SESSION,
  'client/wires/redirect.ts': 'export const checkMove = Number', // No page is told where it is sent on to.
  'client/wires/endpoint.ts': 'export const endpointOf = (data, url) => new URL(data, url)',
  // It asks for itself alone, too.
  'client/takers.ts':
    'export const answerByAny = (find, ask) => ask(find()); export class Takers { gaveUp(one) { return one } answered() {} clear() {} ofNotice() {} ofQuestion() { return this.clear } }',
  'client/batches.ts':
    "export const [isSeveral, entriesOf] = [({ kind }) => kind === 'batch', ({ entries }) => entries]",
  'client/wires/posted.ts': `import { isOpening } from './retrying.ts'
export const waitFor = ({ message }, ready) => (isOpening(message) ? undefined : ready())`,
  'client/wires/is-forgotten.ts':
    'export const isForgotten = (error) => error.details?.status === 404, isGone = ({ error }) => isForgotten(error), isResult = () => {}, forgottenAgain = (_) => _',
  'kernel/words/describe.ts': `export const describe = (value) => typeof value
export const cut = (text, length = 1000) => text.slice(0, length)
export const [tame, repeat] = [String, (value) => value]`,
  // What its tools say of headers has been looked at where they were defined.
  'kernel/catalogue/header-annotations.ts': `export const readAnnotations = (tool, { properties }, path = []) =>
  Object.entries(properties ?? {}).flatMap(([key, one]) => {
    const [name, here] = [one['x-mcp-header'], [...path, key]]
    return [...(name ? [{ name, path: here }] : []), ...readAnnotations(tool, one, here)]
  })`,
  'kernel/words/suggest.ts': 'export const [suggest, nearest] = [String, String]',
  'kernel/jsonrpc/find-error.ts': 'export const findError = Number',
  'kernel/jsonrpc/read-error.ts': 'export const readError = (error) => error',
  'kernel/jsonrpc/answer.ts':
    'export const [tellUnprintable, answerResult, answerError] = [Number, Number, Number]',
  'kernel/words/without-stack.ts': 'export const withoutStack = Error',
  'kernel/words/wrong-fault.ts': 'export const unknownFault = TypeError, wordlessFault = TypeError',
}

const withoutServers = {
  name: 'without-servers',
  enforce: 'pre',
  // What a server loads later would have all that it shares with the page made lazily.
  resolveId: (id, _importer, { kind }) => (kind === 'dynamic-import' ? { id, external: true } : undefined),
  load: (id) => UNSAID[id.split('/src/')[1]],
}

// Declarations stand there, too, so nothing is removed; what is made has always the same names.
await build({
  configFile: false,
  logLevel: 'error',
  root: FROM,
  plugins: [withoutServers],
  build: {
    target: 'es2023',
    outDir: OUT,
    emptyOutDir: false,
    copyPublicDir: false,
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // They know light-dark(), so it is left as it is.
    cssCodeSplit: false,
    lib: { entry: join(FROM, 'main.tsx'), formats: ['es'], fileName: () => 'app.js', cssFileName: 'app' },
    minify: true,
    rolldownOptions: {
      // Of the kernel a client needs a few tables; the rest of it does nothing by being there, or by being read.
      treeshake: {
        moduleSideEffects: (id) => !id.includes('/src/'),
        propertyReadSideEffects: false,
        unknownGlobalSideEffects: false,
        manualPureFunctions: ['Fault', 'Set'], // What a server makes beforehand is for nobody here.
      },
      output: { minify: true, comments: false, codeSplitting: false },
    },
  },
  define: { 'process.env.NODE_ENV': '"production"' },
})
const script = readFileSync(join(OUT, 'app.js'), 'utf8')
if (/\b(import|from) ?['"]|import\(|\beval\(|new Function\b/.test(script)) {
  throw new Error('The page of the console imports something, or makes code of text')
}
for (const file of ['index.html', 'frame.html']) cpSync(join(FROM, file), join(OUT, file))

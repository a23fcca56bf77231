import {
  type AuthorCall,
  type Call,
  Fault,
  isGranted,
  type JsonObject,
  type Source,
} from '../../kernel/index.ts'
import type { Sibling } from './siblings.ts'
import { firstOf } from './within.ts'

/** An upstream as somewhere to look for what stands on no list. */
export interface UnlistedReader {
  readonly name: string
  readonly scopes: readonly string[]
  /** Whether it has anything to be read. */
  readonly hasResources: boolean
  /** The templates that it lists. */
  readonly templates: ReadonlySet<string>
  /** Whether what it lists begins like this URI, so that it is asked first. */
  readonly knowsLike: (uri: string) => boolean
  /** Whether it tells of changes at all, and whether of this; what it says instead is thrown. */
  readonly subscribes: boolean
  readonly confirm: (uri: string, call: Call) => Promise<boolean>
  readonly read: (call: Call, uri: string) => Promise<unknown>
}

const APART = /[?&]upstream=([A-Za-z0-9_.-]+)$/

/** The URI by which something is that of this upstream, whoever else has it. */
export function uriAt(name: string, uri: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}upstream=${name}`
}

/** Something that may be at one of several upstreams: each is asked until one has it. */
export function findAmong(siblings: readonly Sibling[], uri: string): Source {
  const readers = siblings.map(({ offers }) => offers.unlisted)
  const named = APART.exec(uri)?.[1]
  const only = readers.filter(({ name }) => name === named) // Also one that was never there, which says so itself.
  const having = readers.filter(({ hasResources }) => hasResources)
  const asked = only.length > 0 ? only : inOrder(having, uri)
  const own = only.length > 0 ? uri.replace(APART, '') : uri
  return {
    scopes: [],
    mimeType: undefined,
    subscribable: asked.some(({ subscribes }) => subscribes),
    cache: undefined,
    relayed: true,
    confirm: (wanted, call) => confirmFirst(asked, call as Call, wanted), // As below.
    read: (call) => readFirst(asked, call as Call, own), // The kernel's own face.
  }
}

/** What an upstream that may have it calls what stands on no list; undefined where another one is named, or likelier. */
export function ownUnlisted(uri: string, { name, knowsLike }: UnlistedReader): string | undefined {
  const named = APART.exec(uri)?.[1]
  if (named === name) return uri.replace(APART, '')
  return named === undefined && knowsLike(uri) ? uri : undefined
}

/** The scheme and the host. */
export function beginningOf(uri: string): string | undefined {
  return /^[^:]*:(?:\/\/[^/]*)?/.exec(uri)?.[0]
}

/** The first that tells of it; what another one says instead is told only if nobody does. */
async function confirmFirst(readers: readonly UnlistedReader[], call: Call, uri: string): Promise<boolean> {
  const asked = readers.filter(({ scopes, subscribes }) => subscribes && isGranted(scopes, call.principal))
  try {
    await firstOf(
      asked.map(({ confirm }) => async () => {
        if (!(await confirm(uri, call))) throw UNTOLD
      }),
      call.server,
    )
    return true
  } catch (error) {
    const refusal = (error as AggregateError).errors.find((one) => one !== UNTOLD)
    if (refusal !== undefined) throw refusal
    return false
  }
}

/** Of one that does not tell of it, and says nothing else. */
const UNTOLD = new Error('Nobody tells of it')

/** Of what a template describes, an upstream that is named has its own; where several list one template, each is asked until one has what is wanted. */
export function sharedBy(
  siblings: readonly Sibling[],
  { uriTemplate }: JsonObject,
  { params }: AuthorCall,
): Source | undefined {
  if (uriTemplate === undefined) return undefined
  const uri = String(params?.['uri'])
  const named = APART.exec(uri)?.[1]
  if (siblings.length > 1 && siblings.some(({ name }) => name === named)) return findAmong(siblings, uri)
  const having = siblings.filter(({ offers }) => offers.unlisted.templates.has(String(uriTemplate)))
  return having.length < 2 ? undefined : findAmong(having, uri)
}

function inOrder(readers: readonly UnlistedReader[], uri: string): readonly UnlistedReader[] {
  return [...readers.filter((one) => one.knowsLike(uri)), ...readers.filter((one) => !one.knowsLike(uri))]
}

/** What one of them refuses, another may have; what goes wrong otherwise is told only if nobody has it. */
async function readFirst(readers: readonly UnlistedReader[], call: Call, uri: string): Promise<unknown> {
  const granted = readers.filter(({ scopes }) => isGranted(scopes, call.principal))
  try {
    return await firstOf(
      granted.map(
        ({ read }) =>
          () =>
            read(call, uri),
      ),
      call.server,
    )
  } catch (error) {
    const { errors } = error as AggregateError
    const isMissing = (one: unknown) => one instanceof Fault && one.fault === 'resourceNotFound'
    const missing = errors[0] ?? new Fault('resourceNotFound', `Resource not found: ${uri}`, { uri })
    throw errors.find((one) => !isMissing(one)) ?? missing
  }
}

import { type Call, Fault, isGranted, type Source } from '../../kernel/index.ts'
import type { Sibling } from './siblings.ts'

/** An upstream as somewhere to look for what stands on no list. */
export interface UnlistedReader {
  readonly name: string
  readonly scopes: readonly string[]
  /** Whether it has anything to be read. */
  readonly hasResources: boolean
  /** Whether what it lists begins like this URI, so that it is asked first. */
  readonly knowsLike: (uri: string) => boolean
  readonly read: (call: Call, uri: string) => Promise<unknown>
}

const APART = /[?&]upstream=([A-Za-z0-9_.-]+)$/

/** Something that may be at one of several upstreams: each is asked until one has it. */
export function findAmong(siblings: readonly Sibling[], uri: string): Source {
  const readers = siblings.map(({ unlisted }) => unlisted).filter(({ hasResources }) => hasResources)
  const named = APART.exec(uri)?.[1]
  const only = readers.filter(({ name }) => name === named)
  const asked = only.length > 0 ? only : inOrder(readers, uri)
  const own = only.length > 0 ? uri.replace(APART, '') : uri
  return {
    scopes: [],
    mimeType: undefined,
    subscribable: false,
    cache: undefined,
    relayed: true,
    read: (call) => readFirst(asked, call as Call, own), // The kernel's own face.
  }
}

function inOrder(readers: readonly UnlistedReader[], uri: string): readonly UnlistedReader[] {
  return [...readers.filter((one) => one.knowsLike(uri)), ...readers.filter((one) => !one.knowsLike(uri))]
}

/** What one of them refuses, another may have; what goes wrong otherwise is told only if nobody has it. */
async function readFirst(readers: readonly UnlistedReader[], call: Call, uri: string): Promise<unknown> {
  let refusal: unknown
  for (const { scopes, read } of readers) {
    if (!isGranted(scopes, call.principal)) continue
    try {
      return await read(call, uri)
    } catch (error) {
      const isMissing = error instanceof Fault && error.fault === 'resourceNotFound'
      if (refusal === undefined || !isMissing) refusal = error
    }
  }
  throw refusal ?? new Fault('resourceNotFound', `Resource not found: ${uri}`, { uri })
}

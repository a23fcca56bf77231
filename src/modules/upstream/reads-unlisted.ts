import type { Call, Source } from '../../kernel/index.ts'
import type { Listing } from './listing.ts'
import type { UpstreamOptions } from './options.ts'
import type { UpstreamRelay } from './relay.ts'
import { beginningOf, type UnlistedReader } from './unlisted.ts'

/** An upstream from which things can be read. */
interface ReadUpstream {
  readonly name: string
  readonly options: UpstreamOptions
  readonly relay: UpstreamRelay
  /** Whether it tells when a resource changes. */
  readonly confirm: (uri: string, call: Call) => Promise<boolean>
}

/** Where an upstream is alone, whatever stands on no list is looked for there. */
export function readAlone(uri: string, { options, relay, confirm }: ReadUpstream, listing: Listing): Source {
  return {
    scopes: options.scopes ?? [],
    mimeType: undefined,
    subscribable: listing.subscribes,
    cache: undefined,
    relayed: true,
    confirm: (asked, call) => confirm(asked, call as Call), // The kernel's own face, as below.
    read: (call) => relay.answer(call as Call, { uri }),
  }
}

/** The same for when there are others, of which one may have it. */
export function readerOf({ name, options, relay, confirm }: ReadUpstream, listing: Listing): UnlistedReader {
  const { capabilities, resources, templates, subscribes } = listing
  const listed = [...resources, ...templates].map((one) => String(one['uri'] ?? one['uriTemplate']))
  return {
    name,
    scopes: options.scopes ?? [],
    hasResources: 'resources' in capabilities,
    templates: new Set(templates.map(({ uriTemplate }) => String(uriTemplate))),
    knowsLike: (uri) => listed.some((one) => beginningOf(one) === beginningOf(uri)),
    subscribes,
    confirm,
    read: (call, uri) => relay.answer(call, { uri }),
  }
}

import { makeLock } from '../../../contract/lock/lock.ts'
import { type JsonObject, NEWEST, type Principal } from '../../../kernel/index.ts'
import type { HttpState } from '../state.ts'

/** Somebody who may read the card: where callers are asked who they are, that is nobody with any scope. */
const ANYBODY: Principal = { id: 'anonymous', anonymous: true }
const WITHOUT_SCOPES: Principal = { ...ANYBODY, scopes: [] }

/** The hash of the lock of what there is for such a caller, whatever of it a model is shown; none where nothing can hash. */
export function hashPromised({ server, authenticator }: HttpState): string | undefined {
  if (globalThis.process?.getBuiltinModule === undefined) return undefined
  const principal = authenticator === undefined ? ANYBODY : WITHOUT_SCOPES
  const { tools, prompts, resources, templates } = server
  const wish = { revision: NEWEST, principal }
  return makeLock({
    tools: listAll((cursor) => tools.page({ ...wish, cursor })),
    prompts: listAll((cursor) => prompts.page({ ...wish, cursor })),
    resources: listAll((cursor) => resources.page({ ...wish, cursor })),
    templates: listAll((cursor) => templates.page({ ...wish, cursor })),
  }).hash
}

interface OfferedPage {
  readonly items: readonly JsonObject[]
  readonly nextCursor: string | undefined
}

function listAll(page: (cursor: string | undefined) => OfferedPage): readonly JsonObject[] {
  const all: JsonObject[] = []
  for (let found = page(undefined); ; found = page(found.nextCursor)) {
    all.push(...found.items)
    if (found.nextCursor === undefined) return all
  }
}

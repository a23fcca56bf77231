import { defineResource } from '../../authoring/define.ts'

export const VIEW_URI = 'ui://moonphase/view.html'

const MIME_TYPE = 'text/html;profile=mcp-app'

/** Nothing is fetched, so no domain has to be named; the page looks best with the host's frame around it. */
const META = { ui: { prefersBorder: true } }

/** The page that hosts with MCP Apps show instead of the tool's text. */
export const view = defineResource({
  uri: VIEW_URI,
  name: 'moonphase-view',
  title: 'Phase of the Moon',
  description: 'A page that shows the answer of the tool moonphase: the Moon as it looks, and its figures.',
  mimeType: MIME_TYPE,
  _meta: META,
  scopes: ['moon'],
  cache: { ttlMs: 3_600_000, cacheScope: 'public' },
  read: () => {
    printed ??= print()
    return printed
  },
})

/** It is the same for everybody and takes a tenth of a second to print, so it is printed once. */
let printed: ReturnType<typeof print> | undefined

async function print() {
  const { printPage } = await import('./page.ts')
  return { uri: VIEW_URI, mimeType: MIME_TYPE, text: printPage(), _meta: META }
}

import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import {
  createTestClient,
  defineModule,
  defineResource,
  defineResourceTemplate,
  defineTool,
} from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { moon } from '../../src/modules/moon/index.ts'
import { REVISION_IDS, type RevisionId } from '../transcripts/revisions.ts'

const APPS = 'io.modelcontextprotocol/ui'
const VIEW = 'ui://moonphase/view.html'
const MIME_TYPE = 'text/html;profile=mcp-app'

const page = defineResource({ uri: 'ui://a/page.html', name: 'page', mimeType: MIME_TYPE, read: () => '<p>' })
const shownBy = (resourceUri: unknown) =>
  defineTool({ name: 'shown', _meta: { ui: { resourceUri } } as JsonObject, run: () => 'shown' })

async function ask(server: Server, revision: RevisionId, method: string, params: JsonObject = {}) {
  const client = await createTestClient(server, { revision })
  return client.request(method, params)
}

/** What a server says it can do, in the answer in which the revision says it. */
async function capabilitiesOf(server: Server, revision: RevisionId): Promise<JsonObject> {
  await using client = await connect(server, { revision })
  return client.capabilities
}

describe.each(REVISION_IDS)('a server with a page, in %s', (revision) => {
  const server = defineServer({ name: 'sky', version: '1', modules: [moon()] })

  it('says that it has the extension', async () => {
    expect((await capabilitiesOf(server, revision))['extensions']).toEqual({ [APPS]: {} })
  })

  it('lists the page and gives it, under the type that hosts look for', async () => {
    const { resources } = await ask(server, revision, 'resources/list')
    expect(resources).toMatchObject([{ uri: VIEW, mimeType: MIME_TYPE }])
    const { contents } = await ask(server, revision, 'resources/read', { uri: VIEW })
    expect(contents).toMatchObject([
      { uri: VIEW, mimeType: MIME_TYPE, text: expect.stringContaining('<!doctype html>') },
    ])
  })

  it('links the tool to the page, where tools have a place for it', async () => {
    const { tools } = await ask(server, revision, 'tools/list')
    const [tool] = tools as readonly JsonObject[]
    const hasPlace = revision >= '2025-06-18'
    expect(tool?.['_meta']).toEqual(hasPlace ? { ui: { resourceUri: VIEW } } : undefined)
  })
})

describe.each(REVISION_IDS)('a server without a page, in %s', (revision) => {
  it('says nothing of the extension', async () => {
    const server = defineServer({
      name: 'plain',
      version: '1',
      tools: [defineTool({ name: 't', run: () => '' })],
    })
    expect(await capabilitiesOf(server, revision)).not.toHaveProperty('extensions')
  })
})

describe('the extension', () => {
  it('is there as soon as the page is', async () => {
    const server = defineServer({ name: 's', version: '1', resources: [] })
    expect(await capabilitiesOf(server, '2025-11-25')).not.toHaveProperty('extensions')
    server.resources.add(page)
    expect((await capabilitiesOf(server, '2025-11-25'))['extensions']).toEqual({ [APPS]: {} })
  })

  it('is there for a template of pages', async () => {
    const pages = defineResourceTemplate({ uriTemplate: 'ui://a/{name}', name: 'pages', read: () => '<p>' })
    const server = defineServer({ name: 's', version: '1', templates: [pages] })
    expect((await capabilitiesOf(server, '2026-07-28'))['extensions']).toEqual({ [APPS]: {} })
  })

  it('keeps the settings that an author gives it', async () => {
    const own = { id: APPS, settings: { mimeTypes: [MIME_TYPE] }, handshake: true, methods: {} }
    const server = defineServer({ name: 's', version: '1', resources: [page], extensions: [own] })
    expect((await capabilitiesOf(server, '2026-07-28'))['extensions']).toEqual({ [APPS]: own.settings })
  })
})

describe('a tool that is shown by a page', () => {
  const define = (resourceUri: unknown) =>
    defineServer({
      name: 's',
      version: '1',
      tools: [shownBy(resourceUri)],
      modules: [
        defineModule({
          name: 'pages',
          resources: [page],
          templates: [defineResourceTemplate({ uriTemplate: 'ui://b/{name}', name: 'b', read: () => '<p>' })],
        }),
      ],
    })

  it.each(['ui://a/page.html', 'ui://b/page.html'])('may name %s, which another module has', (uri) => {
    expect(() => define(uri)).not.toThrow()
  })

  it.each([
    [
      'ui://a/pgae.html',
      'The tool shown is shown by "ui://a/pgae.html", which is no resource of this server',
    ],
    [5, 'The tool shown is shown by 5'],
  ])('may not name %s, which is not there', (uri, message) => {
    expect(() => define(uri)).toThrow(message)
  })
})

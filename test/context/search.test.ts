import { describe, expect, it } from 'vitest'
import { rank } from '../../src/context/search/rank.ts'
import { createTestClient, defineServer, type Embed } from '../../src/index.ts'
import { MISSING, readCatalogue, readPairs } from './catalogue.ts'

const toolOf = (name: string, description: string) => ({ listed: { name, description }, about: undefined })

const TOOLS = [
  toolOf('create_presentation', 'Makes an empty presentation.'),
  toolOf('add_slide', 'Adds a slide to a presentation.'),
  toolOf('read_file', 'Reads a file.'),
  toolOf('read_multiple_files', 'Reads several files at once.'),
  toolOf('delete_file', 'Deletes a file.'),
  toolOf('search_wikipedia', 'Finds articles of the encyclopedia.'),
]

const best = (query: string) => rank(query, TOOLS).map(({ tool }) => tool.listed.name)[0]

describe('a search among tools', () => {
  it.each([
    ['make a ppt', 'create_presentation'],
    ['remove the file', 'delete_file'],
    ['read the file', 'read_file'],
    ['deleet the file', 'delete_file'],
    ['wiki', 'search_wikipedia'],
    ['Reading files', 'read_file'],
  ])('finds for "%s" %s', (query, name) => {
    expect(best(query)).toBe(name)
  })

  it('puts the very word before one that means the same', () => {
    const tools = [
      toolOf('fetch_page', 'Fetches a page of the web.'),
      toolOf('get_page', 'Gets a page of the web.'),
    ]
    expect(rank('get a page', tools).map(({ tool }) => tool.listed.name)).toEqual(['get_page', 'fetch_page'])
    expect(rank('fetch a page', tools).map(({ tool }) => tool.listed.name)).toEqual([
      'fetch_page',
      'get_page',
    ])
  })

  it('looks at names once more: what is done, and what nobody asked for', () => {
    const tools = [
      toolOf('edit_file_lines', 'Changes lines of a file, which it gives back.'),
      toolOf('get_file_lines', 'Reads a file by its lines.'),
      toolOf('get_remote_file_lines', 'Reads a file by its lines.'),
    ]
    const found = rank('locate the lines in the file', tools).map(({ tool }) => tool.listed.name)
    expect(found).toEqual(['get_file_lines', 'get_remote_file_lines', 'edit_file_lines'])
  })

  it('does not miss a prefix that all tools of a server have', () => {
    const own = ['click', 'fill', 'navigate', 'resize'].map((name) => ({
      ...toolOf(`browserbot_${name}`, 'Does it.'),
      about: 'A browser.',
    }))
    const others = ['tides', 'menus', 'wells'].map((name) => toolOf(`navigate_${name}`, 'Does it.'))
    expect(rank('navigate', [...others, ...own])[0]?.tool.listed.name).toBe('browserbot_navigate')
  })

  it('finds Chinese words in Chinese descriptions', () => {
    const tools = [toolOf('a', '查询火车余票信息。'), toolOf('b', '获取指定日期的黄历信息。')]
    expect(rank('黄历', tools).map(({ tool }) => tool.listed.name)).toEqual(['b'])
  })

  it('finds of a public catalogue of 527 tools what annotators used, more often than its peers', (context) => {
    if (MISSING !== undefined) {
      console.warn(`!!! ${MISSING}`)
      return context.skip(MISSING)
    }
    const tools = readCatalogue().map(({ server, serverDescription, ...listed }) => ({
      listed,
      about: `${server} ${serverDescription}`,
    }))
    const pairs = readPairs()
    const found = pairs.map(({ step, tool }) =>
      rank(step, tools).findIndex(({ tool: { listed } }) => listed.name === tool),
    )
    const recall = (first: number) => found.filter((at) => at >= 0 && at < first).length / pairs.length
    expect(pairs.length).toBeGreaterThan(100)
    // BM25 as FastMCP has it finds 0.474 and 0.296 of these, a MiniSearch with our words and weights 0.520 and 0.336.
    expect(recall(5)).toBeGreaterThanOrEqual(0.6)
    expect(recall(1)).toBeGreaterThanOrEqual(0.42)
  })
})

describe('a search by meaning', () => {
  const tools = [
    { name: 'gato', description: 'Um animal.', run: () => '' },
    { name: 'carro', description: 'Uma coisa.', run: () => '' },
  ]
  const server = (embed: Embed) =>
    defineServer({ name: 's', version: '1', offer: 'search', tools, embed, reports: true })
  const namesFor = async (embed: Embed) => {
    const client = await createTestClient(server(embed))
    const { structuredContent } = await client.callTool('search', { query: 'cat' })
    return (structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name)
  }

  it('finds what shares no word with what was asked', async () => {
    const embed: Embed = async (texts) => texts.map((text) => (/cat|gato/.test(text) ? [1, 0] : [0, 1]))
    expect(await namesFor(embed)).toEqual(['gato'])
  })

  it('sends each tool to the model once', async () => {
    const sent: number[] = []
    const embed: Embed = async (texts) => {
      sent.push(texts.length)
      return texts.map(() => [1])
    }
    const client = await createTestClient(server(embed))
    await client.callTool('search', { query: 'cat' })
    await client.callTool('search', { query: 'dog' })
    expect(sent).toEqual([3, 1])
  })

  it('goes by words where the model cannot be reached', async () => {
    const client = await createTestClient(server(() => Promise.reject(new Error('no model'))))
    const { structuredContent } = await client.callTool('search', { query: 'animal' })
    expect(structuredContent).toMatchObject({ tools: [{ name: 'gato' }] })
  })
})

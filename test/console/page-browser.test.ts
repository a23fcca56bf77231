import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { apiKeys, defineResource, defineServer, defineTool, serveHttp } from '../../src/index.ts'
import { useBrowser } from '../setup/browser.ts'
import { gallery } from './gallery.ts'
import { until, type Visit, type Visiting, violations, visit } from './visit.ts'

const browser = useBrowser()

function open(visiting?: Visiting): Promise<Visit> {
  return visit(browser(), visiting)
}

/** How many frames a second are drawn over the next seconds. */
const FRAMES = `new Promise((resolve) => {
  const began = performance.now()
  let drawn = 0
  const tick = () => {
    drawn++
    const passed = performance.now() - began
    if (passed < 4000) requestAnimationFrame(tick)
    else resolve((drawn * 1000) / passed)
  }
  requestAnimationFrame(tick)
})`

describe('the way in', () => {
  it('shows what the server is and has', async () => {
    await using at = await open()
    await at.page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor()
    const left = at.page.getByRole('navigation', { name: 'Catalogue' })
    for (const group of ['Tools', 'Prompts', 'Resources', 'Templates', 'Tasks', 'Sessions', 'Nodes'])
      await left.getByRole('heading', { name: group }).waitFor()
    await at.page.getByText('tokens a model reads to know the tools').waitFor()
    const figures = async () => (await at.page.locator('.figures').innerText()).replaceAll(/\s+/g, ' ')
    await expect.poll(figures).toMatch(/^tools \d+ resources 3 templates 1 prompts 1 tokens/)
    expect(at.complaints).toEqual([])
  })

  it('lists tools by the part that the server names, and those of none first', async () => {
    const tool = (name: string, group?: string) => ({
      name,
      ...(group !== undefined && { _meta: { 'perigee/group': group } }),
      run: () => '',
    })
    const tools = [tool('read', 'files'), tool('plain'), tool('write', 'files'), tool('rise', 'moon')]
    await using at = await open({ server: defineServer({ name: 'many', version: '1.0.0', tools }) })
    const left = at.page.getByRole('navigation', { name: 'Catalogue' })
    await left.getByRole('button', { name: 'rise' }).waitFor()
    const headings = await left.getByRole('heading').allTextContents()
    expect(headings.filter((text) => text.startsWith('Tools'))).toEqual([
      'Tools 1',
      'Tools: files 2',
      'Tools: moon 1',
    ])
  })

  it('without its key shows no data, and says where to find it', async () => {
    await using at = await open({ at: (address) => address.split('#')[0] ?? '' })
    await at.page.getByRole('heading', { name: 'The key is missing' }).waitFor()
    await at.page.getByText('The server prints the whole address when it starts', { exact: false }).waitFor()
    expect(await at.page.locator('body').innerText()).not.toContain('Gallery')
  })

  it('with a wrong key shows no data either', async () => {
    await using at = await open({ at: (address) => `${address.split('#')[0]}#${'x'.repeat(32)}` })
    await at.page.getByRole('heading', { name: 'This key does not open it' }).waitFor()
    expect(await at.page.locator('body').innerText()).not.toContain('Gallery')
  })

  it('filters what is on the left', async () => {
    await using at = await open()
    await at.choose('table')
    await at.page.keyboard.press('Escape')
    await at.page.keyboard.press('/')
    await at.page.keyboard.type('moon')
    const entries = at.page.locator('.group .entry')
    await until(at.page, "document.querySelectorAll('.group .entry').length < 6")
    expect(await entries.allInnerTexts()).toContain('Phase of the Moon')
    expect(await entries.allInnerTexts()).not.toContain('table')
  })
})

describe('what a model reads', () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, title: `Row ${id}` }))
  const server = (offer: 'all' | 'search') =>
    defineServer({
      name: 'library',
      title: 'Library',
      version: '1.0.0',
      offer,
      budget: { tokens: 2000 },
      tools: [
        { name: 'rows', run: () => ({ rows }) },
        {
          name: 'remark',
          run: () => ({ content: [{ type: 'text', text: 'a remark' }], structuredContent: { count: 3 } }),
        },
      ],
    })

  it('is told for each way of offering tools, and for results', async () => {
    await using at = await open({ server: server('search') })
    const card = at.page.getByRole('region', { name: 'What a model reads' })
    await card.getByText('all 2 tools').waitFor()
    const now = await card.locator('tr.now').allInnerTexts()
    expect(now.map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^offer: 'search' search and call ≈ \d+ tokens now$/),
      'budget one result ≤ 2.0k tokens now',
    ])
    expect(await violations(at.page)).toEqual([])
    expect(at.complaints).toEqual([])
  })

  it('is told of a result that was cut, and for each host', async () => {
    await using at = await open({ server: server('all') })
    await at.choose('rows')
    await at.call()
    await at.page.getByText(/≈ 1\.\dk tokens, of \d+k cut to a budget of 2\.0k/).waitFor()
    await at.choose('remark')
    await at.call()
    await at.page.getByRole('button', { name: 'Models' }).click()
    const shown = await at.page.locator('.models details').allInnerTexts()
    expect(shown.map((one) => one.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^claude-code shows the data ≈ \d+ tokens \{"count":3,"_text":"a remark"\}$/),
      expect.stringMatching(/^codex shows the data ≈ \d+ tokens \{"count":3,"_text":"a remark"\}$/),
      expect.stringMatching(/^opencode shows the text ≈ \d+ tokens a remark \{"count":3\}$/),
    ])
    expect(at.complaints).toEqual([])
  })
})

describe('a server that goes', () => {
  it('is told of, and come back to without anybody doing anything', async () => {
    const key = 'k'.repeat(32)
    const serve = (port: number) =>
      serveHttp(gallery(), { port, supervise: false, greeting: 'none', console: { key } })
    const first = await serve(0)
    const page = await browser().newPage()
    try {
      await page.goto(first.console ?? '')
      await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor()
      await first.close()
      await page.getByRole('alert').getByText('The server is gone').waitFor()
      const second = await serve(first.port)
      await page.getByRole('status').getByText('live').waitFor()
      await page.getByRole('navigation', { name: 'Catalogue' }).getByRole('button', { name: 'table' }).click()
      await page.locator('main').getByRole('button', { name: /^Call/ }).click()
      await page.locator('.call.done').waitFor()
      await page
        .getByRole('option', { name: /tools\/call table/ })
        .first()
        .waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      await second.close()
    } finally {
      await page.close()
    }
  })

  it('may be another when it comes back, which has other things to look at', async () => {
    const key = 'k'.repeat(32)
    const first = await serveHttp(gallery(), {
      port: 0,
      supervise: false,
      greeting: 'none',
      console: { key },
    })
    const page = await browser().newPage()
    try {
      await page.goto(first.console ?? '')
      await page.getByRole('navigation', { name: 'Catalogue' }).getByRole('button', { name: 'table' }).click()
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'table' }).waitFor()
      await first.close()
      const other = defineServer({ name: 'other', title: 'Another', version: '1.0.0' })
      const second = await serveHttp(other, {
        port: first.port,
        supervise: false,
        greeting: 'none',
        console: { key },
      })
      await page.getByRole('heading', { level: 1, name: 'Another' }).waitFor()
      await second.close()
    } finally {
      await page.close()
    }
  })

  it('or that wants a key for MCP itself has the page ask for one', async () => {
    const listening = await serveHttp(gallery(), {
      port: 0,
      supervise: false,
      greeting: 'none',
      console: true,
      authenticator: apiKeys({ keys: [{ key: 'a-key-for-mcp-that-is-long', name: 'tester' }] }),
    })
    const page = await browser().newPage()
    try {
      await page.goto(listening.console ?? '')
      await page.getByLabel('This server wants an API key for MCP:').fill('wrong')
      await page.getByRole('button', { name: 'Use it' }).click()
      await page.locator('.banner .complaint').waitFor()
      await page.getByLabel('This server wants an API key for MCP:').fill('a-key-for-mcp-that-is-long')
      await page.getByRole('button', { name: 'Use it' }).click()
      await page
        .getByRole('navigation', { name: 'Catalogue' })
        .getByRole('button', { name: 'table' })
        .waitFor()
    } finally {
      await page.close()
      await listening.close()
    }
  })
})

describe('who else is there', () => {
  it('is listed with its state, and can be looked at', async () => {
    await using at = await open()
    const { page } = at
    const client = await connect(at.address.replace(/\/console#.*/, '/mcp'), {
      revision: '2025-06-18',
      info: { name: 'another-host', version: '3' },
    })
    await at.choose(/another-host/)
    await page.getByRole('heading', { level: 1, name: 'another-host' }).waitFor()
    await page.locator('.facts').getByText('2025-06-18').waitFor()
    await page
      .getByRole('option', { name: /initialize/ })
      .first()
      .waitFor()
    await client.close()
  })
})

describe('a form', () => {
  it('is made from a schema: text, numbers, choices, days, objects, lists, variants, JSON', async () => {
    await using at = await open()
    const { page } = at
    await at.choose('Everything a form can ask')
    expect(await page.getByLabel('count').inputValue()).toBe('3')
    await page.getByLabel('name').fill('Luna')
    await page.getByLabel('colour').selectOption('green')
    await page.getByLabel('loud').selectOption('true')
    await page.getByLabel('day').fill('2026-11-16')
    await page.getByRole('group', { name: 'place' }).getByRole('button', { name: 'Fill in' }).click()
    await page.getByLabel('city').fill('Tycho')
    const tags = page.getByRole('group', { name: 'tags' })
    await tags.getByRole('button', { name: 'Add an item' }).click()
    await tags.getByRole('textbox', { name: 'Item 1' }).fill('near')
    await page.getByLabel('m', { exact: true }).check()
    const shape = page.getByRole('group', { name: 'shape' })
    await shape.getByLabel('Which variant').selectOption('Square')
    await shape.getByLabel('side').fill('2.5')
    await page.getByLabel('extra').fill('{"a": 1}')
    await at.call()
    await page.getByRole('button', { name: 'Raw' }).click()
    const raw = JSON.parse(await page.locator('.raw').innerText()) as { structuredContent: unknown }
    expect(raw.structuredContent).toEqual({
      count: 3,
      name: 'Luna',
      colour: 'green',
      loud: true,
      day: '2026-11-16',
      place: { city: 'Tycho' },
      tags: ['near'],
      sizes: ['m'],
      shape: { kind: 'square', side: 2.5 },
      extra: { a: 1 },
    })
    expect(at.complaints).toEqual([])
  })

  it('says what is missing, and goes there', async () => {
    await using at = await open()
    await at.choose('Everything a form can ask')
    await at.page.locator('main').getByRole('button', { name: /^Call/ }).click()
    await at.page.getByText('name must be filled in').waitFor()
    await until(at.page, "document.activeElement.closest('.complained') !== null")
    expect(await at.page.locator('.call').count()).toBe(0)
  })

  it.each(['Call Ctrl', 'In all 5 revisions'])(
    'leaves out nothing that it cannot read: %s',
    async (button) => {
      await using at = await open()
      const { page } = at
      await at.choose('Everything a form can ask')
      await page.getByLabel('name').fill('Luna')
      await page.getByLabel('extra').fill('{"a": 1}')
      await page.getByLabel('extra').fill('{"a": 2')
      await page.getByLabel('count').fill('')
      await page.getByLabel('count').pressSequentially('1e')
      await page.getByRole('button', { name: button }).click()
      await page.getByText('2 fields want a look: count').waitFor()
      expect(await page.locator('.call').count()).toBe(0)
      await page.getByLabel('extra').fill('{"a": 2}')
      await page.getByLabel('count').fill('10')
      await at.call()
      expect(await page.locator('.call').innerText()).toContain('{"name":"Luna","extra":{"a":2},"count":10}')
    },
  )

  it('changes no number: one that it cannot keep stays as it was typed, and is not sent', async () => {
    await using at = await open()
    const { page } = at
    await at.choose('Everything a form can ask')
    await page.getByLabel('count').fill('9007199254740993')
    await page.getByLabel('name').fill('Luna')
    await page.getByLabel('extra').fill('[9007199254740993, "9007199254740993"]')
    await page.locator('main').getByRole('button', { name: /^Call/ }).click()
    await page.getByText('2 fields want a look: count 9007199254740993 would become').waitFor()
    expect(await page.getByLabel('count').inputValue()).toBe('9007199254740993')
    expect(await page.locator('.call').count()).toBe(0)
    await page.getByLabel('count').fill('10')
    await page.getByLabel('extra').fill('["9007199254740993"]')
    await at.call()
    expect(await page.locator('.call').innerText()).toContain('"count":10')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    await page.getByLabel('Arguments as JSON').fill('{ "name": "a", "count": 9007199254740993 }')
    await page.locator('main').getByRole('button', { name: /^Call/ }).click()
    await page.getByText('One field wants a look: 9007199254740993 would become').waitFor()
    expect(await page.locator('.call').count()).toBe(1)
  })

  it('written as JSON that does not parse can be left for the form, which is sent', async () => {
    await using at = await open()
    await at.choose('Everything a form can ask')
    await at.page.getByLabel('name').fill('Luna')
    await at.page.getByRole('button', { name: 'JSON', exact: true }).click()
    await at.page.getByLabel('Arguments as JSON').fill('{')
    await at.page.locator('main').getByRole('button', { name: /^Call/ }).click()
    await at.page.getByText('One field wants a look').waitFor()
    await at.page.getByRole('button', { name: 'Form', exact: true }).click()
    await at.call()
  })

  it('can be written as JSON, which is sent as it is', async () => {
    await using at = await open()
    await at.choose('Everything a form can ask')
    await at.page.getByRole('button', { name: 'JSON', exact: true }).click()
    await at.page.getByLabel('Arguments as JSON').fill('{ "name": 5 }')
    await at.call()
    await at.page.getByText('name: expected a string', { exact: false }).waitFor()
  })
})

describe('a result', () => {
  it('is drawn by its type: Markdown, tree, picture, sound, links, resources', async () => {
    await using at = await open()
    const { page } = at
    await at.choose('Every kind of content')
    await at.call()
    await page.locator('.prose .level-1', { hasText: 'Tides' }).last().waitFor()
    await page.locator('.result').getByRole('cell', { name: '4.1' }).waitFor()
    const link = page.locator('.result').getByRole('link', { name: 'the almanac' })
    expect(await link.getAttribute('href')).toBe('https://example.com/almanac')
    expect(await link.getAttribute('rel')).toContain('noopener')
    await page.locator('.result .tree').first().waitFor()
    await until(page, "document.querySelector('img.picture').naturalWidth === 5")
    await page.locator('.result audio').waitFor()
    await page.locator('.result').getByText('inside', { exact: true }).waitFor()
    await page.locator('.result').getByRole('button', { name: 'motto' }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.locator('.prose .heading', { hasText: 'Near is good' }).waitFor()
    expect(at.complaints).toEqual([])
  })

  it('that is a list of alike objects is a table', async () => {
    await using at = await open()
    await at.choose('table')
    await at.call()
    await at.page.locator('.result').getByRole('columnheader', { name: 'moons' }).waitFor()
    await at.page
      .getByText(/≈ \d+ tokens$/)
      .last()
      .waitFor()
  })

  it('that is an error says so', async () => {
    await using at = await open()
    await at.choose('fails')
    await at.call()
    await at.page.locator('.result.is-error').getByText('It does not work').waitFor()
  })

  it('with a page of its own is shown by it: the Moon', async () => {
    await using at = await open()
    const { page } = at
    await at.choose('Phase of the Moon')
    await at.call()
    const app = page.frameLocator('iframe.app')
    await app.locator('#phase').waitFor()
    await until(page, "document.querySelector('iframe.app').clientHeight > 100")
    await app.getByText(/%$/).first().waitFor()
    expect(await page.locator('iframe.app').getAttribute('sandbox')).toBe('allow-scripts')
    expect(at.complaints).toEqual([])
  })

  it('comes with progress, and can be cancelled', async () => {
    await using at = await open()
    const { page } = at
    await at.choose('Countdown')
    await page.getByLabel('seconds').fill('600')
    await page.locator('main').getByRole('button', { name: /^Call/ }).click()
    await page.getByText(/of 600/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.call.cancelled').waitFor()
  })

  it('of a prompt and of a template comes with what the server suggests', async () => {
    await using at = await open()
    const { page } = at
    await at.choose('review')
    await page.getByLabel('code').fill('a = 1')
    await page.getByRole('button', { name: 'Get' }).click()
    await page.getByText('Please review this some code', { exact: false }).waitFor()
    await at.choose('colour')
    await page.getByLabel('name').fill('g')
    await until(page, 'document.querySelector("datalist option")?.value === "green"')
    await page.getByLabel('name').fill('green')
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByText('The colour green').waitFor()
  })
})

describe('a question of the server', () => {
  it.each(['2026-07-28', '2025-11-25'])(
    'is answered in place in %s: a form, a page, a model, folders',
    async (revision) => {
      await using at = await open()
      const { page } = at
      await page.getByLabel('Revision this page speaks').selectOption(revision)
      const press = () => page.locator('main').getByRole('button', { name: /^Call/ }).click()
      const question = page.getByRole('region', { name: 'Questions of the server' })
      await at.choose('ask_form')
      await press()
      await question.getByLabel('drink').selectOption('tea')
      await question.getByRole('button', { name: 'Answer' }).click()
      await page.getByText('One tea').waitFor()
      await at.choose('ask_url')
      await press()
      expect(await question.getByRole('link').getAttribute('href')).toBe('https://example.com/sign-in')
      await question.getByText('It leads to example.com', { exact: false }).waitFor()
      await question.getByRole('button', { name: 'Done' }).click()
      await page.getByText('Signed in: accept').waitFor()
      await at.choose('ask_model')
      await press()
      await question.getByText('A rhyme for moon?').waitFor()
      await question.getByLabel('Your answer').fill('June')
      await question.getByRole('button', { name: 'Answer' }).click()
      await page.locator('.result').getByText('June', { exact: false }).waitFor()
      await at.choose('ask_roots')
      await press()
      await question.getByRole('textbox', { name: /^Folders/ }).fill('file:///sea\nfile:///land')
      await question.getByRole('button', { name: 'Answer' }).click()
      await page.getByText('file:///sea, file:///land').waitFor()
      expect(at.complaints).toEqual([])
    },
  )

  it('leave room for other calls, however many wait for an answer', async () => {
    await using at = await open()
    await at.choose('ask_form')
    for (let asked = 1; asked <= 4; asked++) {
      await at.page.locator('main').getByRole('button', { name: /^Call/ }).click()
      await expect.poll(() => at.page.getByRole('button', { name: 'Decline' }).count()).toBe(asked)
    }
    await at.choose('table')
    await at.page.locator('main').getByRole('button', { name: /^Call/ }).click()
    await at.page.locator('.call.done').first().waitFor()
  })

  it('can be declined', async () => {
    await using at = await open()
    await at.choose('ask_form')
    await at.page.locator('main').getByRole('button', { name: /^Call/ }).click()
    await at.page.getByRole('button', { name: 'Decline' }).click()
    await at.page.getByText('decline', { exact: true }).waitFor()
  })
})

it.each(['2026-07-28', '2025-11-25'])(
  'offers tasks in %s where the tool may become one',
  async (revision) => {
    await using at = await open()
    const { page } = at
    await page.getByLabel('Revision this page speaks').selectOption(revision)
    await at.choose('render')
    await page.getByRole('button', { name: 'As a task' }).waitFor()
    await at.choose('table')
    await page.getByRole('heading', { level: 1, name: 'table' }).waitFor()
    expect(await page.getByRole('button', { name: 'As a task' }).count()).toBe(0)
  },
)

it.each(['2026-07-28', '2025-11-25'])(
  'knows how long a task took that has ended on no page, in %s',
  async (revision) => {
    await using at = await open()
    const { page } = at
    await page.getByLabel('Revision this page speaks').selectOption(revision)
    await at.choose('render')
    await page.getByLabel('seconds').fill('1')
    await page.getByRole('button', { name: 'As a task' }).click()
    await page.getByRole('navigation', { name: 'Catalogue' }).getByText('working').waitFor()
    await page.goto('about:blank')
    await page.waitForTimeout(3000)
    await page.goto(at.address)
    await page.getByLabel('Revision this page speaks').selectOption(revision)
    await page.getByText('A short film').waitFor()
    expect(await page.locator('.call header').innerText()).toMatch(/\b1\.\d s\b/)
  },
)

it('goes on with a task after the page has been loaded again', async () => {
  await using at = await open()
  const { page } = at
  await at.choose('render')
  await page.getByRole('button', { name: 'As a task' }).click()
  await page.getByRole('navigation', { name: 'Catalogue' }).getByText('working').waitFor()
  await page.reload()
  await page.getByText('A short film').waitFor()
  await page.getByRole('navigation', { name: 'Catalogue' }).getByText('completed').waitFor()
})

it('makes the same call in every revision, and marks what differs', async () => {
  await using at = await open()
  const { page } = at
  await at.choose('table')
  await page.getByRole('button', { name: /In all/ }).click()
  const columns = page.getByRole('region', { name: 'Results compared' }).locator('thead th')
  await until(page, "document.querySelectorAll('.compare thead .dot.done').length === 5")
  expect((await columns.allInnerTexts()).map((text) => text.trim().slice(0, 10))).toEqual([
    'Place',
    '2024-11-05',
    '2025-03-26',
    '2025-06-18',
    '2025-11-25',
    '2026-07-28',
  ])
  await page.getByRole('button', { name: /^Differences/ }).click()
  const row = page.locator('.compare tr', { hasText: 'structuredContent.planets[1].name' })
  const cells = await row
    .locator('td')
    .evaluateAll((all) => all.map((cell) => [cell.textContent, cell.className]))
  expect(cells).toEqual([
    ['– (differs)', 'differs'],
    ['– (differs)', 'differs'],
    ['"Earth"', ''],
    ['"Earth"', ''],
    ['"Earth"', ''],
  ])
  await page.getByRole('region', { name: '2024-11-05' }).getByText('initialize', { exact: true }).waitFor()
  expect(at.complaints).toEqual([])
})

describe('the messages', () => {
  it('are shown as they pass, filtered, opened, and exported', async () => {
    await using at = await open()
    const { page } = at
    await at.choose('table')
    await at.call()
    const list = page.getByRole('listbox')
    await list
      .getByRole('option', { name: /tools\/call table/ })
      .first()
      .waitFor()
    await page.getByLabel('Filter messages').fill('prompts/list')
    await until(page, "document.querySelectorAll('.row').length === 2")
    await list.getByRole('option').first().click()
    await page
      .getByRole('region', { name: /^Message \d+/ })
      .getByText('"2.0"')
      .or(page.locator('.detail .leaf').first())
      .first()
      .waitFor()
    await page.getByLabel('Filter messages').fill('')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines.length).toBeGreaterThan(5)
    expect(Object.keys(lines[0] ?? {})).toEqual(
      expect.arrayContaining(['time', 'connection', 'direction', 'message']),
    )
    await page.getByRole('img', { name: /calls in the last five minutes/ }).waitFor()
    expect(at.complaints).toEqual([])
  })

  it('may be ten thousand and more: the page draws few of them, and keeps no more than it has room for', async () => {
    await using at = await open()
    const { page } = at
    await at.choose('chat')
    await page.getByLabel('count').fill('11500')
    const frames = page.evaluate(FRAMES)
    await at.call()
    await page.getByText('Said 11500 things').waitFor()
    console.log(`frames a second while 11,500 messages came: ${Number(await frames).toFixed(1)}`)
    await until(page, "/older ones gone|1\\dk messages/.test(document.querySelector('.counts').textContent)")
    const counted = await page.locator('.counts').innerText()
    const kept = await page.evaluate("Number(document.querySelector('.row')?.getAttribute('aria-setsize'))")
    expect(counted).toMatch(/messages/)
    expect(kept).toBeLessThanOrEqual(11_000)
    expect(kept).toBeGreaterThan(4000)
    expect(await page.locator('.row').count()).toBeLessThan(80)
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(2500)
    const developer = await page.context().newCDPSession(page)
    await developer.send('HeapProfiler.collectGarbage')
    const { usedSize } = await developer.send('Runtime.getHeapUsage')
    expect(usedSize).toBeLessThan(100 * 1024 * 1024)
    console.log(`heap of the page with ${kept} messages: ${(usedSize / 1024 / 1024).toFixed(1)} MiB`)
  })
})

describe('what means harm', () => {
  it('gets nowhere from descriptions and results', async () => {
    await using at = await open()
    const { page } = at
    await at.choose(/Harmless/)
    await at.call()
    expect(
      await page.locator('.workspace').getByText('<script>window.harmed', { exact: false }).count(),
    ).toBeGreaterThan(0)
    expect(await page.evaluate('window.harmed')).toBeUndefined()
    const hrefs = await page
      .locator('main a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(new Set(hrefs)).toEqual(new Set(['https://example.com/']))
    expect(await page.locator('main').getByText('U+202E').count()).toBeGreaterThan(0)
    expect(await page.locator('main').getByText('U+E0041').count()).toBeGreaterThan(0)
    expect((await page.locator('main').innerText()).length).toBeLessThan(20_000)
    await page
      .getByRole('button', { name: /Show more/ })
      .last()
      .click()
    await until(page, "document.querySelector('main').innerText.length > 40000")
    expect(await page.locator('main :is(script, style, img, iframe)').count()).toBe(0)
    expect(at.complaints).toEqual([])
  })

  it('gets nowhere from a page of the server: it has no parent, no storage, no network, and asks before it calls', async () => {
    await using at = await open()
    const { page } = at
    await page.evaluate(
      "window.heard = []; addEventListener('message', ({ data }) => heard.push(data?.params?.what))",
    )
    await at.choose('hostile_page')
    await at.call()
    await until(page, "window.heard.includes('no fetch')")
    const heard = (await page.evaluate('window.heard')) as unknown[]
    expect(heard).toEqual(expect.arrayContaining(['no parent', 'no storage', 'no fetch']))
    expect(page.url()).toContain('/console')
    const question = page.getByRole('region', { name: 'Questions of the server' })
    await question.getByText('It wants to call a tool:').waitFor()
    await question.getByRole('button', { name: 'Decline' }).click()
    const frame = page.frames().at(-1) ?? page.mainFrame()
    await until(
      frame,
      'window.heard?.filter(({ id, error }) => error !== undefined && [1, 2].includes(id)).length === 2',
    )
    expect(await page.getByText('Every kind of content').count()).toBeLessThanOrEqual(1)
  })

  it('is kept from nothing by a page that never stops talking: it is taken away', async () => {
    const text = `<script>setInterval(() => {
      for (let id = 0; id < 1000; id++)
        parent.postMessage({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri: 'ui://loud/page.html' } }, '*')
    }, 1)</script>`
    const loud = { uri: 'ui://loud/page.html', name: 'loud', mimeType: 'text/html;profile=mcp-app' }
    const server = defineServer({
      name: 'loud',
      version: '1',
      tools: [defineTool({ name: 'talk', _meta: { ui: { resourceUri: loud.uri } }, run: () => 'said' })],
      resources: [defineResource({ ...loud, read: () => text })],
    })
    await using at = await open({ server })
    await at.choose('talk')
    await at.call()
    await at.page.getByText('This app said more than anybody can hear').waitFor()
    await at.call()
  })
})

describe('everybody', () => {
  it('can do it by keyboard alone, and sees where they are', async () => {
    await using at = await open()
    const { page } = at
    await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('form can ask')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Everything a form can ask' }).waitFor()
    await page.keyboard.press('c')
    await until(page, "document.activeElement.closest('form') !== null")
    while (!(await page.evaluate("document.activeElement.matches('textarea')")))
      await page.keyboard.press('Tab')
    await page.keyboard.type('Luna')
    await page.keyboard.press('Enter')
    await page.locator('.call.done').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('l')
    await page.keyboard.press('ArrowUp')
    await page.getByRole('region', { name: /^Message \d+/ }).waitFor()
  })

  it.each([
    ['light', 1360],
    ['dark', 1360],
    ['light', 360],
    ['dark', 360],
  ] as const)('finds it usable: %s, %i pixels wide', async (colorScheme, width) => {
    await using at = await open({ colorScheme, viewport: { width, height: 800 } })
    const { page } = at
    const go = async (part: string) => {
      if (width < 900)
        await page.getByRole('navigation', { name: 'Parts of the page' }).getByText(part).click()
    }
    const fits = async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect(await violations(page)).toEqual([])
    }
    await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor()
    await fits()
    for (const name of [
      'Everything a form can ask',
      'Every kind of content',
      'table',
      /Harmless/,
      'review',
      'colour',
    ]) {
      await go('Catalogue')
      await at.choose(name)
      if (['Every kind of content', 'table'].includes(String(name))) await at.call()
      await fits()
    }
    await go('Catalogue')
    await fits()
    await at.choose('ask_form')
    await page.locator('main').getByRole('button', { name: /^Call/ }).click()
    await page.getByRole('button', { name: 'Decline' }).waitFor()
    await fits()
    await page.getByRole('button', { name: 'Decline' }).click()
    await go('Catalogue')
    await at.choose('table')
    await page.getByRole('button', { name: /In all/ }).click()
    await until(page, "document.querySelectorAll('.compare thead .dot.done').length === 5")
    await fits()
    await go('Catalogue')
    await at.choose('History of calls')
    await fits()
    await go('Messages')
    await page.getByRole('listbox').getByRole('option').first().click()
    await fits()
    await page.keyboard.press('?')
    await fits()
  })

  it('can choose between light and dark', async () => {
    await using at = await open({ colorScheme: 'light' })
    const { page } = at
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    const press = () => page.getByRole('button', { name: /^Theme/ }).click()
    await press()
    expect(await paper()).toBe(light)
    await press()
    expect(await paper()).not.toBe(light)
    await page.reload()
    expect(await paper()).not.toBe(light)
  })
})

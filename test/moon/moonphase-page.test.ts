import { afterEach, beforeEach, expect, it } from 'vitest'
import { KEY, killAll, Moonphase } from './moonphase.ts'

let server: Moonphase
let base: string
beforeEach(async () => {
  server = new Moonphase({ MOONPHASE_API_KEY: KEY }, ['--port', '0', '--page', '--almanac'])
  base = (await server.url()).replace('/mcp', '')
})
afterEach(killAll)

it('is opened by anybody, runs nothing but what is written in it, and is named in the welcome', async () => {
  const page = await fetch(`${base}/`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/=]+'; /,
  )
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
  expect(await page.text()).toContain('type="range"')
  expect(server.stdout).toContain(`in a browser: ${base}/`)
})

it('has its figures from beside it, from a place as well, and says what is wrong with a question', async () => {
  const ask = async (query: string) => {
    const answer = await fetch(`${base}/moon.json?${query}`)
    return [answer.status, await answer.json()]
  }
  const at = 'datetime=2019-03-10T00:00:00Z'
  expect(await ask(at)).toMatchObject([200, { phase: 'waxing crescent', accuracy: expect.any(String) }])
  expect((await ask(at))[1]).not.toHaveProperty('altitude')
  expect(await ask(`${at}&latitude=29&longitude=-81`)).toMatchObject([
    200,
    { nextSet: expect.stringMatching(/^2019-03-10T02:1[567]/), tilt: expect.any(Number) },
  ])
  expect(await ask('datetime=tomorrow')).toMatchObject([400, { error: expect.stringContaining('tomorrow') }])
  expect(await ask('latitude=91&longitude=0')).toEqual([
    400,
    { error: 'latitude: expected degrees from -90 to 90, got "91"' },
  ])
  const posted = await fetch(`${base}/moon.json`, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
})

it('leaves MCP to those who have the key, and everything else not found', async () => {
  expect((await server.post({ method: 'tools/list' }, {})).status).toBe(401)
  const { tools } = (await server.post({ method: 'tools/list' })).message.result
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([
    'moonphase',
    'moon_from_place',
    'moon_events',
    'moon_calendar',
  ])
  for (const path of ['/healthz', '/other', '/console', '/sse', '/moon.json/'])
    expect([path, (await fetch(`${base}${path}`)).status]).toEqual([path, 404])
})

it('is refused where there is no HTTP', async () => {
  const piped = new Moonphase({}, ['--stdio', '--page'])
  expect(await piped.code()).toBe(2)
  expect(piped.stderr).toContain('--page is for HTTP')
})

import { expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient } from '../../src/client/test-client.ts'
import type { JsonObject } from '../../src/kernel/index.ts'
import { moon } from '../../src/modules/moon/index.ts'

const server = defineServer({ name: 'sky', version: '1.0.0', modules: [moon({ almanac: true })] })
const client = await createTestClient(server)

async function ask(name: string, args: JsonObject) {
  const { content, structuredContent, isError } = await client.callTool(name, args)
  const text = content.map((block) => ('text' in block ? block.text : '')).join('')
  return { text, content, structured: structuredContent as JsonObject, isError }
}

it('lists what an almanac has beside the phase', () => {
  expect([...server.tools].map(({ key }) => key)).toEqual([
    'moonphase',
    'moon_from_place',
    'moon_events',
    'moon_calendar',
  ])
})

it('tells how the Moon stands above a place, in words, in figures and turned as it is there', async () => {
  const args = { latitude: 29, longitude: -81, datetime: '2019-03-10T00:00:00Z' }
  const { text, content, structured } = await ask('moon_from_place', args)
  expect(structured).toMatchObject({ phase: 'waxing crescent', latitude: 29, longitude: -81 })
  expect(structured['nextSet']).toMatch(/^2019-03-10T02:1[567]:\d\dZ$/)
  expect(structured['nextRise']).toMatch(/^2019-03-10T14:0[678]:\d\dZ$/)
  expect(structured['altitude']).toBeGreaterThan(20)
  expect(text).toMatch(/^Waxing crescent on 2019-03-10 00:00 UTC: /)
  expect(text).toMatch(/From 29° N, 81° W it stands [\d.]+° above the horizon in the (south)?west/)
  expect(text).toContain('Rise and set are good to two minutes')
  const north = await ask('moonphase', { datetime: args.datetime })
  expect(content[1]).toMatchObject({ type: 'image', mimeType: 'image/png' })
  expect(content[1]).not.toEqual(north.content[1])
})

it.each([
  ['moon_from_place', { latitude: 91, longitude: 0 }, 'latitude'],
  ['moon_from_place', { latitude: 1 }, 'longitude'],
  ['moon_events', { from: '2026-01-01', to: '2025-01-01' }, 'to: expected a date after 2026-01-01'],
  ['moon_events', { from: '1000-01-01', to: '2000-01-01' }, 'at most 100 years'],
  ['moon_events', { from: 'today', to: '2000-01-01' }, 'from: expected an ISO 8601 date'],
  ['moon_events', { from: '2026-01-01', to: '2026-02-01', latitude: 5 }, 'longitude'],
  ['moon_events', { from: '2026-01-01', to: '2026-02-01', kinds: ['eclipses', 'eclipses'] }, 'kinds'],
  ['moon_calendar', { month: 'May' }, 'month: expected a month such as 2026-11'],
  ['moon_calendar', { month: '2026-13' }, 'month: expected a month such as 2026-11'],
])('%s refuses %j, and says why', async (name, args, why) => {
  const { isError, text } = await ask(name, args)
  expect(isError).toBe(true)
  expect(text).toContain(why)
})

it('says how good it is by the worst of the years that it tells of', async () => {
  const kinds = ['eclipses']
  const turn = await ask('moon_events', { from: '2999-12-01', to: '3001-02-01', kinds })
  expect(turn.structured['accuracy']).toMatch(
    /^Phases and eclipses are good to a day; perigee and apogee to a day/,
  )
  const old = await ask('moon_events', { from: '1690-01-01', to: '1701-01-01', kinds })
  expect(old.structured['accuracy']).toMatch(/good to an hour; perigee and apogee to two hours and 30 km/)
  const far = await ask('moon_from_place', { latitude: 0, longitude: 0, datetime: '9999-01-01' })
  expect(far.structured['accuracy']).toContain('Rise and set are good to a day')
  expect(far.structured['accuracy']).toContain('height, direction and tilt are as uncertain')
})

it('says of an eclipse whether it is seen above the horizon', async () => {
  const kinds = ['eclipses']
  const sun = { from: '2026-08-12', to: '2026-08-13', kinds, latitude: 39, longitude: 9 }
  const sunset = await ask('moon_events', sun)
  expect(sunset.text).toMatch(
    /total there, 100% covered, .*, but the Sun is 1\.\d° below the horizon when it is greatest/,
  )
  const moon = { from: '2026-08-27', to: '2026-08-29', kinds, latitude: 41.9, longitude: 30 }
  const moonset = await ask('moon_events', moon)
  expect(moonset.structured).toMatchObject({ events: [{ here: { visible: true, altitude: -8.8 } }] })
  expect(moonset.text).toContain(
    'the Moon is above the horizon there for a part of it, and 8.8° below when it is greatest',
  )
  const away = await ask('moon_events', { ...moon, longitude: 100 })
  expect(away.structured).toMatchObject({ events: [{ here: { visible: false } }] })
})

it('covers all of the Sun only where it is total', async () => {
  const madrid = { latitude: 40.4168, longitude: -3.7038 }
  const { text } = await ask('moon_events', {
    from: '2026-08-12',
    to: '2026-08-13',
    kinds: ['eclipses'],
    ...madrid,
  })
  expect(text).toContain('partial there, 99% covered')
})

it('takes a hundred years, whatever leap days are in them, and not a day more', async () => {
  const century = { from: '2000-01-01', kinds: ['eclipses'] }
  expect((await ask('moon_events', { ...century, to: '2100-01-01' })).text).toContain('total lunar eclipse')
  expect((await ask('moon_events', { ...century, to: '2100-01-02' })).text).toContain(
    'to: expected at most 100 years',
  )
})

it('takes as many years as the operator lets it, and says which flag that is', async () => {
  const budgets = { maxMoonYears: 1 }
  const short = defineServer({ name: 'sky', version: '1.0.0', budgets, modules: [moon({ almanac: true })] })
  const { content } = await (await createTestClient(short)).callTool('moon_events', {
    from: '2000-01-01',
    to: '2001-01-02',
  })
  expect(content).toMatchObject([
    { text: expect.stringMatching(/at most 1 years after .* \(--max-moon-years\): ask in parts$/) },
  ])
})

it('lists what happens between two dates, in order, with its accuracy', async () => {
  const { text, structured } = await ask('moon_events', { from: '2026-08-01', to: '2026-09-01' })
  const { events } = structured as unknown as { events: { datetime: string; event: string }[] }
  expect(events.map(({ event }) => event)).toEqual(
    [
      'last quarter',
      'perigee',
      'total solar eclipse',
      'new moon',
      'first quarter',
      'apogee',
      'full moon',
      'partial lunar eclipse',
    ].toSorted((one, other) => orderOf(events, one) - orderOf(events, other)),
  )
  expect(events.map(({ datetime }) => datetime)).toEqual(events.map(({ datetime }) => datetime).toSorted())
  expect(text).toMatch(/2026-08-10 \d\d:\d\d UTC {2}perigee \(3632\d\d km\)/)
  expect(text).toContain('good to two minutes; perigee and apogee to 40 minutes')
})

function orderOf(events: readonly { readonly event: string }[], name: string): number {
  return events.findIndex(({ event }) => event === name)
}

it('draws a month, as text and as a picture', async () => {
  const { text, content, structured } = await ask('moon_calendar', { month: '2026-11' })
  const lines = text.split('\n')
  expect(lines[0]).toBe('November 2026, the Moon at 12:00 UTC of each day')
  expect(lines[2]).toMatch(/^Mo +Tu +We +Th +Fr +Sa +Su$/)
  // The first was a Sunday; the new moon was on Monday the 9th at 07:02, the full moon on the 24th at 14:54 (USNO).
  expect(lines[3]?.trim()).toMatch(/^1 🌗 +54%$/u)
  expect(lines[5]).toMatch(/^ 9 🌑 +0% /u)
  expect(text).toMatch(/2026-11-24 14:5[345] UTC {2}full moon/)
  expect((structured['days'] as unknown[]).length).toBe(30)
  const png = Buffer.from((content[1] as unknown as { data: string }).data, 'base64')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([364, 22 + 6 * 58])
  expect(png.length).toBeLessThan(60_000)
})

it('turns a month round for the south', async () => {
  const north = await ask('moon_calendar', { month: '2026-11' })
  const south = await ask('moon_calendar', { month: '2026-11', hemisphere: 'south' })
  expect(south.text).toMatch(/\b1 🌓 +54%/u)
  expect(south.content[1]).not.toEqual(north.content[1])
  expect(south.structured).toEqual(north.structured)
})

it.each([
  ['-004000-01', 'a day'],
  ['0001-02', 'an hour'],
  ['9999-12', 'a day'],
])('has a calendar of %s, good to %s', async (month, accuracy) => {
  const { structured } = await ask('moon_calendar', { month })
  expect(structured['days']).toBeInstanceOf(Array)
  expect(structured['accuracy']).toContain(`good to ${accuracy};`)
})

it('states its accuracy with every answer', async () => {
  for (const [name, args] of Object.entries({
    moonphase: {},
    moon_from_place: { latitude: 0, longitude: 0 },
    moon_events: { from: '2026-01-01', to: '2026-01-09' },
    moon_calendar: {},
  })) {
    const { structured, text } = await ask(name, args)
    expect(structured['accuracy']).toMatch(/good to/)
    expect(text).toContain(structured['accuracy'])
  }
})

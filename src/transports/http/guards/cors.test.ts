import { expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import type { HttpSettings } from '../settings.ts'
import { corsHeaders } from './cors.ts'

const settings = { allowedOrigins: ['https://app.example.com'] } as unknown as HttpSettings

const headersFor = (origin: string | undefined) =>
  corsHeaders({ headers: { origin } } as unknown as Exchange, settings)

it('an origin that was named may read answers in a browser', () => {
  expect(headersFor('https://app.example.com')).toMatchObject({
    'access-control-allow-origin': 'https://app.example.com',
    vary: 'Origin',
  })
})

it.each([undefined, 'http://localhost:3000', 'https://app.example.com.evil.example', 'null'])(
  'an origin that was not named may not: %s',
  (origin) => {
    expect(headersFor(origin)).toBe(undefined)
  },
)

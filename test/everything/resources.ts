import { defineResource, defineResourceTemplate } from '../../src/index.ts'
import { secret } from './questions.ts'
import { ANNOTATIONS, ICON, PIXEL } from './values.ts'

/** Says everything there is to say about a resource. */
const today = defineResource({
  uri: 'note://today',
  name: 'today',
  title: 'Today',
  description: 'A note',
  mimeType: 'text/plain',
  size: 5,
  annotations: ANNOTATIONS,
  icons: [ICON],
  _meta: { 'example.com/kind': 'note' },
  subscribable: true,
  cache: { ttlMs: 5000, cacheScope: 'public' },
  read: () => 'Sunny',
})

const bytes = defineResource({
  uri: 'note://bytes',
  name: 'bytes',
  mimeType: 'application/octet-stream',
  read: async () => Uint8Array.of(0, 1, 254, 255),
})

const pages = defineResource({
  uri: 'note://pages',
  name: 'pages',
  mimeType: 'text/plain',
  read: () => [
    { uri: 'note://pages/1', text: 'first', _meta: { 'example.com/n': 1 } },
    { uri: 'note://pages/2', mimeType: 'image/png', blob: PIXEL },
  ],
})

const broken = defineResource({
  uri: 'note://broken',
  name: 'broken',
  read: () => {
    throw new Error('a detail that stays here')
  },
})

export const CITIES: { readonly [country: string]: readonly string[] } = {
  france: ['Lyon', 'Paris'],
  peru: ['Cusco', 'Lima'],
}

const city = defineResourceTemplate({
  uriTemplate: 'city://{country}/{city}',
  name: 'city',
  title: 'City',
  description: 'A city of a country',
  mimeType: 'application/json',
  annotations: ANNOTATIONS,
  icons: [ICON],
  _meta: { 'example.com/kind': 'place' },
  subscribable: true,
  complete: {
    country: (value) => Object.keys(CITIES).filter((country) => country.startsWith(value)),
    city: (value, chosen) =>
      (CITIES[chosen['country'] ?? 'peru'] ?? []).filter((name) => name.startsWith(value)),
  },
  read: ({ country, city }) => (CITIES[country]?.includes(city) === true ? { country, city } : undefined),
})

const letter = defineResourceTemplate({
  uriTemplate: 'letter://{name}',
  name: 'letter',
  read: async ({ name }) => `Dear ${name}`,
})

export const resources = [today, bytes, pages, secret, broken]

export const templates = [city, letter]

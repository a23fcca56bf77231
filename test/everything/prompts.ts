import { definePrompt } from '../../src/index.ts'
import { CITIES } from './resources.ts'
import { ANNOTATIONS, ICON, META, PIXEL, SOUND } from './values.ts'

/** Says everything there is to say about a prompt. */
const travel = definePrompt({
  name: 'travel',
  title: 'Travel',
  description: 'Plans a journey',
  arguments: [
    { name: 'to', title: 'To', description: 'Where to go', required: true },
    { name: 'days' },
    { name: 'mood' },
  ],
  complete: {
    to: (value) => Object.keys(CITIES).filter((country) => country.startsWith(value)),
    days: async () => Array.from({ length: 150 }, (_one, index) => `${index + 1}`),
  },
  icons: [ICON],
  _meta: { 'example.com/kind': 'plan' },
  render: ({ to, days = 'some' }) => `Plan ${days} days in ${to}`,
})

const album = definePrompt({
  name: 'album',
  description: 'Messages of several kinds',
  render: () => ({
    description: 'An album',
    messages: [
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'audio', data: SOUND, mimeType: 'audio/wav' } },
      {
        role: 'user',
        content: { type: 'resource_link', uri: 'note://today', name: 'today', icons: [ICON], _meta: META },
      },
      { role: 'user', content: { type: 'text', text: 'smile', annotations: ANNOTATIONS, _meta: META } },
      { role: 'user', content: { type: 'resource', resource: { uri: 'note://today', text: 'Sunny' } } },
    ],
    _meta: META,
  }),
})

export const prompts = [travel, album]

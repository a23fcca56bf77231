import type { SettingTable } from './settings.ts'

/** What models see of a server. */
export const SHOWN_SETTINGS: SettingTable = {
  offer: {
    environment: 'PERIGEE_OFFER',
    placeholder: 'HOW',
    description: 'what models see of the tools: all, search, code, or auto, a search where they are many',
    fallback: 'all',
  },
  fit: {
    environment: 'PERIGEE_FIT',
    placeholder: 'HOW',
    description: 'host has schemas listed as each host takes them, by its name; off as they are',
    fallback: 'host',
  },
  destructive: {
    environment: 'PERIGEE_DESTRUCTIVE',
    placeholder: 'HOW',
    description:
      'with --offer code, whether scripts ask the user before they call a tool that may destroy something: ask or allow',
    fallback: 'ask',
  },
  budget: {
    environment: 'PERIGEE_BUDGET',
    value: 'number',
    placeholder: 'TOKENS',
    description:
      'how many tokens a result may have before the rest of it becomes a link; no limit unless said',
  },
}

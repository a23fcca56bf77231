import type { ReadyPage } from '../servers/ready-server.ts'
import type { Page, PageAnswer } from '../transports/http/exchange.ts'
import { Turns } from './turns.ts'

/** The pages of a ready server, for anybody who can reach it. */
export function readyPages(pages: { readonly [path: string]: ReadyPage }): { readonly [path: string]: Page } {
  const entries = Object.entries(pages).map(([path, page]): [string, Page] => [
    path,
    { access: 'anybody', answer: answerBy(page) },
  ])
  return Object.fromEntries(entries)
}

const COMMON = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}
const AS_JSON = { ...COMMON, 'content-type': 'application/json' }
const TOO_MANY = JSON.stringify({ error: 'Too many ask at once: ask again in a moment' })

/** Anybody may ask without a key, and must not keep those waiting who have one. */
const MAX_WAITING = 32

/** What an answer throws is what is wrong with the question. */
function answerBy(page: ReadyPage): PageAnswer {
  const turns = new Turns(MAX_WAITING)
  return async (exchange) => {
    if (exchange.method !== 'GET')
      return exchange.answer(405, { ...AS_JSON, allow: 'GET' }, JSON.stringify({ error: 'Expected GET' }))
    if (turns.isFull) return exchange.answer(503, { ...AS_JSON, 'retry-after': '1' }, TOO_MANY)
    try {
      const { headers, text } = await turns.take(() => print(page, exchange.query))
      exchange.answer(200, { ...COMMON, ...headers }, text)
    } catch (error) {
      exchange.answer(400, AS_JSON, JSON.stringify({ error: (error as Error).message }))
    }
  }
}

async function print(page: ReadyPage, query: string) {
  const { headers, answer } = await page()
  return { headers, text: await answer(new URLSearchParams(query)) }
}

import type { ReadyPage } from '../servers/ready-server.ts'
import type { Page, PageAnswer } from '../transports/http/exchange.ts'

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

/** What an answer throws is what is wrong with the question. */
function answerBy(page: ReadyPage): PageAnswer {
  return async (exchange) => {
    if (exchange.method !== 'GET')
      return exchange.answer(405, { ...AS_JSON, allow: 'GET' }, JSON.stringify({ error: 'Expected GET' }))
    const { headers, answer } = await page()
    try {
      exchange.answer(200, { ...COMMON, ...headers }, await answer(new URLSearchParams(exchange.query)))
    } catch (error) {
      exchange.answer(400, AS_JSON, JSON.stringify({ error: (error as Error).message }))
    }
  }
}

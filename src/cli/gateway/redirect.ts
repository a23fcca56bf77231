import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where a browser comes back to when somebody has signed in: on this machine, for as long as that takes. */
export interface Redirect {
  readonly address: string
  /** What it came back with, looked at by a function that says what is wrong with what is not meant; those do not count. */
  answer(look: (answer: URL) => string | undefined, patienceMs: number): Promise<URL>
  close(): void
}

/** How long the page that ends it has to arrive. */
const LAST_WORDS_MS = 1000

export async function openRedirect(port: number): Promise<Redirect> {
  const listener = createServer({ requestTimeout: 10_000 })
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  const address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback` // It listens on a port.
  let last: ServerResponse | undefined
  return {
    address,
    answer: (look, patienceMs) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new NobodyCame('nobody has signed in')), patienceMs)
        listener.removeAllListeners('request').on('request', ({ method, url = '' }, response) => {
          const answer = URL.canParse(url, address) ? new URL(url, address) : undefined
          if (method !== 'GET' || answer?.pathname !== '/callback')
            return say(response, 404, 'There is nothing here.')
          const problem = look(answer)
          if (problem !== undefined) return say(response, 400, problem)
          clearTimeout(late)
          last = response
          const failed = answer.searchParams.has('error')
          say(
            response,
            200,
            failed ? 'You are not signed in. The terminal says why.' : 'Done. You can close this page.',
          )
          resolve(answer)
        })
      }),
    close: () => {
      const end = () => listener.closeAllConnections() // Browsers connect ahead, and say nothing for long.
      listener.close()
      if (last === undefined || last.writableFinished) return end()
      last.once('close', end)
      setTimeout(end, LAST_WORDS_MS).unref()
    },
  }
}

/** Whoever was to sign in has not done so in time. */
export class NobodyCame extends Error {}

/** Nothing that came with the request is shown. */
function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Perigee</title><h1>${text}</h1></html>\n`,
  )
}

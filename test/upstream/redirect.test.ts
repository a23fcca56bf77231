import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { openRedirect } from '../../src/cli/gateway/redirect.ts'

it.each(['', 'GET /callback HTTP/1.1\r\nHost: a'])(
  'waits for nobody who is connected and has said %j, once the page is shown that ends it',
  async (words) => {
    const redirect = await openRedirect(0)
    const silent = connect(Number(new URL(redirect.address).port), '127.0.0.1')
    await once(silent, 'connect')
    silent.on('error', () => {}).write(words)
    const ended = new Promise((resolve) => silent.once('close', resolve))
    const shown = fetch(`${redirect.address}?code=c`).then((response) => response.text())
    await redirect.answer(() => undefined, 60_000)
    redirect.close()
    expect(await shown).toContain('You can close this page.')
    await ended
  },
)

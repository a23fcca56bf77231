import { expect, it } from 'vitest'
import { clientOf, endAfterEach, gatewayTo } from './gateway-of.ts'
import { silentUpstream } from './silent-upstream.ts'

endAfterEach()

const REQUIRED = {
  code: -32042,
  message: 'Sign in first',
  data: {
    elicitations: [
      { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: '1' },
      { mode: 'url', message: 'Agree', url: 'https://example.com/terms', elicitationId: '2' },
    ],
  },
}

const ABLE = { capabilities: { elicitation: { form: {}, url: {} } } }

/** Wants pages to be opened as often as it is said. */
async function wanting(times: number, headers: { readonly [name: string]: string } = {}) {
  const upstream = await silentUpstream('2025-11-25')
  upstream.tools = { go: 'goes' }
  const { call } = upstream
  let left = times
  upstream.call = (params) => (left-- > 0 ? REQUIRED : call(params))
  return { upstream, gateway: gatewayTo({ behind: { url: upstream.url, headers } }) }
}

const calls = (asked: readonly string[]) => asked.filter((method) => method === 'tools/call').length

it('pages that an upstream wants opened are asked for by a result, and the call is made again', async () => {
  const { upstream, gateway } = await wanting(2)
  const asked: unknown[] = []
  const client = await clientOf(gateway, {
    ...ABLE,
    answers: {
      'elicitation/create': (params) => {
        asked.push(params)
        return { action: 'accept' }
      },
    },
  })
  expect(await client.callTool('go')).toMatchObject({ content: [{ text: 'go here' }] })
  const once = [
    { mode: 'url', message: 'Sign in', url: 'https://example.com/in' },
    { mode: 'url', message: 'Agree', url: 'https://example.com/terms' },
  ]
  expect(asked).toEqual([...once, ...once])
  expect(calls(upstream.asked)).toBe(3)
})

it('whoever does not open them is told what the upstream said, and not asked once more', async () => {
  const { gateway } = await wanting(9)
  const client = await clientOf(gateway, {
    ...ABLE,
    answers: { 'elicitation/create': () => ({ action: 'decline' }) },
  })
  const result = await client.callTool('go')
  expect(result).toMatchObject({ isError: true, content: [{ text: 'Sign in first' }] })
})

it('that is told without what the upstream was told in confidence', async () => {
  const { gateway } = await wanting(9, { 'x-key': 'in first' })
  const answers = { 'elicitation/create': () => ({ action: 'decline' }) }
  const client = await clientOf(gateway, { ...ABLE, answers })
  expect(await client.callTool('go')).toMatchObject({ isError: true, content: [{ text: 'Sign […]' }] })
})

it('whose addresses are passed on whole in every revision, since nothing has failed', async () => {
  const { gateway } = await wanting(9, { 'x-key': 'example.com/in' })
  const client = await clientOf(gateway, { ...ABLE, revision: '2025-11-25' })
  await expect(client.callTool('go')).rejects.toMatchObject({ code: -32042, data: REQUIRED.data })
})

it('a client that cannot open pages is told so', async () => {
  const { gateway } = await wanting(9)
  const client = await clientOf(gateway, { capabilities: {} })
  await expect(client.callTool('go')).rejects.toMatchObject({ code: -32021 })
})

it('a client whose revision has the error is told it as it is', async () => {
  const { gateway } = await wanting(9)
  const client = await clientOf(gateway, { ...ABLE, revision: '2025-11-25' })
  await expect(client.callTool('go')).rejects.toMatchObject({ code: -32042, data: REQUIRED.data })
})

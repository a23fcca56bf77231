import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { sizeOf } from '../budgets/check.ts'
import { SUBSCRIPTION } from '../calls/interest.ts'
import { NOWHERE } from '../calls/outlet.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { NEWEST_HANDSHAKE } from '../revisions/index.ts'
import { type Agreement, agreementOf, isAgreement, restore } from './agreement.ts'

const AGREED: Agreement = {
  introduction: { revision: '2025-11-25', capabilities: { roots: {} }, info: { name: 'c', version: '1' } },
  operating: true,
  logLevel: 'error',
  subscriptions: ['x:a'],
}

function open() {
  const server = defineServer({ name: 's', version: '1' })
  return { server, link: server.open({ outlet: NOWHERE }) }
}

it('is what was agreed on, and no other value that somebody may have written', () => {
  const { introduction, operating, logLevel, subscriptions } = AGREED
  const least = { introduction: { revision: 'any', capabilities: {} }, operating: false }
  expect([AGREED, least].map(isAgreement)).toEqual([true, true])
  const others = [
    null,
    'agreed',
    {},
    { introduction },
    { operating, logLevel, subscriptions },
    { ...AGREED, introduction: 'c' },
    { ...AGREED, introduction: { ...introduction, revision: 5 } },
    { ...AGREED, introduction: { ...introduction, capabilities: [] } },
    { ...AGREED, operating: 1 },
    { ...AGREED, logLevel: 'loud' },
    { ...AGREED, subscriptions: 'x:a' },
    { ...AGREED, subscriptions: ['x:a', 5] },
  ]
  for (const other of others) expect(isAgreement(other), JSON.stringify(other)).toBe(false)
})

it('is taken up by another link as it was written down', () => {
  const { server, link } = open()
  expect(agreementOf(link)).toBeUndefined()
  link.unsaved = true
  expect(restore(link, AGREED)).toBe(true)
  expect(agreementOf(link)).toEqual(AGREED)
  expect([link.state, link.spoken?.id, link.unsaved]).toEqual(['operating', '2025-11-25', false])
  expect([server.listeners.size, server.held.of(link)]).toEqual([1, sizeOf(AGREED) + SUBSCRIPTION])
  const { subscriptions: _none, ...fewer } = AGREED
  restore(link, fewer)
  expect(agreementOf(link)).toEqual(fewer)
  expect([server.listeners.size, server.held.of(link)]).toEqual([1, sizeOf(fewer)])
})

it('has to be written down after whatever changes it, and after nothing else', () => {
  const { link } = open()
  const isUnsaved = (method: string, params: JsonObject) => {
    link.unsaved = false
    const message = { method, params, length: 100 }
    if (method.startsWith('notifications/')) link.receive({ ...message, kind: 'notification' }, () => {})
    else link.receive({ ...message, kind: 'request', id: 1 }, () => {})
    return link.unsaved
  }
  const introduction = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  }
  const said: [method: string, params: JsonObject, unsaved: boolean][] = [
    ['initialize', introduction, true],
    ['notifications/initialized', {}, true],
    ['notifications/initialized', {}, false],
    ['logging/setLevel', { level: 'error' }, true],
    ['tools/list', {}, false],
    ['initialize', introduction, true],
  ]
  for (const [method, params, unsaved] of said)
    expect([method, isUnsaved(method, params)]).toEqual([method, unsaved])
})

it('of a client that has not begun is that of one that has not begun', () => {
  const { server, link } = open()
  expect(restore(link, { ...AGREED, operating: false })).toBe(true)
  expect([link.state, server.listeners.size]).toEqual(['initializing', 0])
  expect(agreementOf(link)?.operating).toBe(false)
})

it('in a revision that only this server speaks is taken up', () => {
  const own = { ...NEWEST_HANDSHAKE, id: 'own-1' }
  const server = defineServer({ name: 's', version: '1', revisions: [own] })
  const link = server.open({ outlet: NOWHERE })
  expect(restore(link, { ...AGREED, introduction: { ...AGREED.introduction, revision: 'own-1' } })).toBe(true)
  expect(link.spoken).toBe(own)
})

it('in a revision that is not spoken here is not taken up', () => {
  const { link } = open()
  expect(restore(link, { ...AGREED, introduction: { ...AGREED.introduction, revision: '1999-01-01' } })).toBe(
    false,
  )
  expect(link.peer).toBeUndefined()
})

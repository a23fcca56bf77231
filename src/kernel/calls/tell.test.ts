import { expect, it } from 'vitest'
import { Fault, Told } from '../faults.ts'
import { tell } from './tell.ts'

const few = { dialect: { codes: {}, details: 'few' } } as const
const many = {
  dialect: { codes: { parseError: { code: -32700, message: 'Parse error' } }, details: 'many' },
} as const
const plain = new Fault('notInitialized', 'Server not initialized: send initialize first')
const detailed = new Fault('unknownTool', 'Unknown tool: x', undefined, { requestedTool: 'x' })

it('says no more than the fault does, unless a dialect wants more', () => {
  expect(tell(plain, undefined, few)).toEqual({ code: -32600, message: plain.message })
  expect(tell(detailed, undefined, few)).toEqual({ code: -32602, message: 'Unknown tool: x' })
})

it('has data with every error where a dialect wants that', () => {
  expect(tell(plain, undefined, many)).toMatchObject({ data: { detail: plain.message } })
  expect(tell(detailed, undefined, many)).toMatchObject({ data: { requestedTool: 'x' } })
  expect(tell(new Fault('unknownTool', 'x', undefined, () => 'later'), undefined, many)).toMatchObject({
    data: 'later',
  })
  expect(tell(new Fault('parseError', 'Parse error: at 3'), undefined, many)).toEqual({
    code: -32700,
    message: 'Parse error',
    data: { detail: 'Parse error: at 3' },
  })
})

it('says nothing of what was ours', () => {
  const said = JSON.stringify(tell(new TypeError('secret'), undefined, many))
  expect(said).toContain('its log says what')
  expect(said).not.toContain('secret')
})

it('leaves what somebody else has said as it is', () => {
  expect(tell(new Told({ code: 7, message: 'theirs' }), undefined, many)).toEqual({
    code: 7,
    message: 'theirs',
  })
})

it('is noted without the words of somebody else, by what its code means to everybody', () => {
  const logged = [-32601, 7].map((code) => new Told({ code, message: 'theirs' }).logged)
  expect(logged).toEqual(['Method not found', 'Refused'])
})

it('prefers the words of a server to those of a revision', () => {
  const revision = { codes: { parseError: -1, unknownTool: -2 } }
  expect(tell(new Fault('parseError', 'Parse error'), revision, many)).toMatchObject({ code: -32700 })
  expect(tell(detailed, revision, many)).toMatchObject({ code: -2 })
})

import { expect, it } from 'vitest'
import { answerLost, requestsOf } from './lost-calls.ts'

const GONE = 'The server that ran this call is gone:'

it('answers each call of a node that is gone with an error that says whether to call again', () => {
  expect(answerLost([])).toBe(undefined)
  const again = {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32603, message: `${GONE} call again`, data: { retry: true } },
  }
  expect(answerLost([{ id: 1, retry: true }])).toEqual(again)
  const unsure = `${GONE} it may have been carried out or not`
  expect(
    answerLost([
      { id: 1, retry: true },
      { id: 'b', retry: false },
    ]),
  ).toEqual([
    again,
    { jsonrpc: '2.0', id: 'b', error: { code: -32603, message: unsure, data: { retry: false } } },
  ])
})

it('finds the requests of a message', () => {
  const request = { kind: 'request', id: 1, method: 'ping', params: {}, length: 2 } as const
  const notification = { kind: 'notification', method: 'x', params: {} } as const
  expect(requestsOf(request)).toEqual([request])
  expect(requestsOf(notification)).toEqual([])
  expect(requestsOf({ kind: 'batch', entries: [request, notification, request] })).toEqual([request, request])
})

import { expect, it } from 'vitest'
import { glimpse } from './glimpse.ts'

it.each([
  ['{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":"', 7],
  ['{"jsonrpc":"2.0","id":"a\\"b,{","method":"m","params":[[[', 'a"b,{'],
  ['{"method":"m","id":7,"params":', 7],
  ['{"method":"m","params":{"id":9,"method":"n"},"id":7,"x":"', 7],
  ['{"params":[{"id":9},"}"],"method":"m","id":7}', 7],
  [' { "id" : -3 , "method" : "m" , "params" : {', -3],
])('finds the id at the top level: %s', (text, id) => {
  expect(glimpse(text).id).toBe(id)
})

it.each([
  ['an id that may go on', '{"method":"m","id":7'],
  ['an id in the params', '{"jsonrpc":"2.0","method":"m","params":{"id":9,'],
  ['an answer, whose id is ours', '{"jsonrpc":"2.0","id":7,"result":{"x":"'],
  ['a method that has not come yet', '{"jsonrpc":"2.0","id":7,"params":{"method":"m"'],
  ['an id of a wrong type', '{"id":true,"method":"m","x":'],
  ['a batch', '[{"id":7,"method":"m","x":['],
  ['no JSON', 'xxxxxxxxxxxxx'],
  ['nothing', ''],
  ['nonsense in between', '{"id":7,oops,"method":"m","x":"'],
])('finds none in %s', (_name, text) => {
  expect(glimpse(text).id).toBe(undefined)
})

it.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"x":"', 7],
  ['{"jsonrpc":"2.0","id":7,"result":"xxxx', 7],
  ['{"error":{"code":1,"message":"', undefined],
  ['{"result":[[[],"method', undefined],
  ['{"jsonrpc":"2.0","id":7,"result":{"method":"m"},"x":{}}', 7],
])('tells a response: %s', (text, id) => {
  expect(glimpse(text)).toEqual({ id: undefined, isResponse: true, response: { id } })
})

it.each([
  '{"id":7,"method":"m","result":{',
  '{"params":{"result":1',
  '[{"result":{}},',
  '{"x":"result":',
  '',
])('takes this for no response: %s', (text) => {
  expect(glimpse(text).isResponse).toBe(false)
})

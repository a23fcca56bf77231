import { expect, it } from 'vitest'
import { findId } from './find-id.ts'

it.each([
  ['{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":"', 7],
  ['{"jsonrpc":"2.0","id":"a\\"b,{","method":"m","params":[[[', 'a"b,{'],
  ['{"method":"m","id":7,"params":', 7],
  ['{"method":"m","params":{"id":9,"method":"n"},"id":7,"x":"', 7],
  ['{"params":[{"id":9},"}"],"method":"m","id":7}', 7],
  [' { "id" : -3 , "method" : "m" , "params" : {', -3],
])('finds the id at the top level: %s', (text, id) => {
  expect(findId(text)).toBe(id)
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
  expect(findId(text)).toBe(undefined)
})

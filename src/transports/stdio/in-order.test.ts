import { expect, it } from 'vitest'
import { InOrder } from './in-order.ts'

it('has answers leave in the order of their calls, and counts what waits', () => {
  const left: (string | undefined)[] = []
  const order = new InOrder<string | undefined>({
    print: (answer) => answer && `<${answer}>`,
    leave: (text) => void left.push(text),
  })
  const [first, second, third] = [order.reserve(), order.reserve(), order.reserve()]
  expect([order.size, order.length]).toEqual([3, 0])
  second('two')
  expect([left, order.size, order.length]).toEqual([[], 3, 5])
  third(undefined)
  expect([left, order.length]).toEqual([[], 5])
  first('one')
  expect([left, order.size, order.length]).toEqual([['<one>', '<two>', undefined], 0, 0])
})

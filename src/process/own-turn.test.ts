import { expect, it } from 'vitest'
import { ownTurn } from './own-turn.ts'

it('gives each who asks a turn of the loop in which nobody else has one, in their order', async () => {
  const done: string[] = []
  for (const name of ['a', 'b', 'c']) void ownTurn().then(() => done.push(name))
  const seen: string[] = []
  while (done.length < 3) {
    await new Promise(setImmediate)
    seen.push(done.join(''))
  }
  expect(seen.filter((one) => one !== '')).toEqual(['a', 'ab', 'abc'])
})

it('whoever goes on next goes on before those who wait', async () => {
  const done: string[] = []
  const work = async (name: string) => {
    await ownTurn()
    done.push(`${name} begins`)
    await ownTurn('next')
    done.push(`${name} ends`)
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

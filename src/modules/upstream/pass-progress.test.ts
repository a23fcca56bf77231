import { expect, it } from 'vitest'
import { passProgress } from './pass-progress.ts'

const passed = (json: string) => {
  const heard: unknown[][] = []
  passProgress(JSON.parse(json), { progress: (...said) => void heard.push(said) })
  return heard
}

it.each([
  ['{"progress":1}', [[1, undefined, undefined]]],
  ['{"progress":1,"total":2,"message":"half"}', [[1, 2, 'half']]],
  ['{"progress":1,"total":null,"message":null}', [[1, undefined, undefined]]],
  ['{"progress":1,"total":1e999,"message":5}', [[1, undefined, undefined]]],
  ['{"progress":1e999}', []],
  ['{"progress":"1"}', []],
  ['{}', []],
])('of %s a call is told what progress there is in it', (json, heard) => {
  expect(passed(json)).toEqual(heard)
})

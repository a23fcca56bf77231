import { expect, it } from 'vitest'
import { hearLie, lies } from '../../scripts/storm/lies.mjs'

/** What the storm must say of a server that says this. */
const NOTICED: { readonly [lie: string]: { outcome: string; wrongs: readonly string[] } } = {
  nothing: { outcome: 'answered', wrongs: [] },
  'nothing, and breaks': { outcome: 'answered', wrongs: [] },
  'a step twice': { outcome: 'answered', wrongs: ['duplicate'] },
  'no third step': { outcome: 'answered', wrongs: ['gap'] },
  'the steps in another order': { outcome: 'answered', wrongs: ['disorder'] },
  'a step after the answer': { outcome: 'answered', wrongs: ['disorder'] },
  'the answer twice': { outcome: 'answered', wrongs: ['duplicate'] },
  'no answer': { outcome: 'hung', wrongs: ['hung'] },
  'the answer to something else': { outcome: 'answered', wrongs: ['wrong'] },
  'an error for no reason': { outcome: 'unexplained', wrongs: ['unexplained'] },
  'an error, and dies': { outcome: 'died', wrongs: [] },
  'an event again after a break': { outcome: 'answered', wrongs: ['duplicate', 'duplicate'] },
  'that there is no such stream': { outcome: 'lost', wrongs: ['lost'] },
  'that there is no such session': { outcome: 'lost', wrongs: ['session', 'lost'] },
  'that a task is over which it called off before': { outcome: 'answered', wrongs: [] },
  'that a task is over which goes on': { outcome: 'unexplained', wrongs: ['unexplained'] },
  'that a task was called off which has failed': { outcome: 'answered', wrongs: ['task'] },
}

it.each(lies)('notices a server that says %s', async (lie) => {
  expect(await hearLie(lie)).toEqual(NOTICED[lie])
})

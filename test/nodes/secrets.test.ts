import { expect, it } from 'vitest'
import { createSealer } from '../../src/platform/sealing.ts'

const ROUNDS = [['OLD'], ['OLD', 'NEW'], ['NEW', 'OLD'], ['NEW']]

it('a secret is changed in the rounds that operators are told, with nodes of two rounds side by side', () => {
  const sealers = ROUNDS.map(createSealer)
  for (const [round, one] of sealers.entries()) {
    for (const other of sealers.slice(round, round + 2)) {
      expect(other.open(one.seal('a', 'b'), 'b'), `sealed in round ${round}`).toBe('a')
      expect(one.open(other.seal('a', 'b'), 'b'), `opened in round ${round}`).toBe('a')
    }
  }
})

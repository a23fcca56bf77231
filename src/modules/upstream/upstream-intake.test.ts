import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { intakeFor } from './upstream-intake.ts'

const KiB = 1024

function behind(maxUpstreamArrivingBytes: number) {
  const server = defineServer({ name: 'gateway', version: '1', budgets: { maxUpstreamArrivingBytes } })
  const gone: string[] = []
  const reader = (name: string) => ({
    giveWay: ({ message }: Error) => void gone.push(`${name}: ${message}`),
  })
  return { server, gone, reader }
}

it('where there is no room, the largest message of the upstream that sends most gives way', () => {
  const { server, gone, reader } = behind(1000 * KiB)
  const [hog, other] = [intakeFor(server), intakeFor(server)]
  const [first, second, mine] = [reader('first'), reader('second'), reader('mine')]
  hog.hold(first, 400 * KiB)
  hog.hold(second, 500 * KiB)
  other.hold(mine, 450 * KiB)
  expect(gone).toEqual([expect.stringMatching(/^second: .*1024000 bytes.*\(--max-upstream-arriving\)/)])
  expect(server.usage.read('maxUpstreamArrivingBytes')).toBe(850 * KiB)
  other.hold(mine, 0)
  hog.hold(first, 0)
  expect(server.usage.read('maxUpstreamArrivingBytes')).toBe(0)
})

it('what is small has room whatever others send, and of alike ones the oldest gives way', () => {
  const { server, gone, reader } = behind(250 * KiB)
  const [one, other, third] = [intakeFor(server), intakeFor(server), intakeFor(server)]
  one.hold(reader('one'), 120 * KiB)
  other.hold(reader('other'), 120 * KiB)
  for (let count = 0; count < 100; count++) third.hold(reader('third'), 60 * KiB)
  expect(gone).toEqual([])
  third.hold(reader('third'), 70 * KiB)
  expect(gone).toEqual([expect.stringMatching(/^one: /)])
})

it.each([
  ['short', ''],
  ['long', 'x'.repeat(1024 * KiB)],
])('a %s message that is nested too deep is not to be parsed', (_, text) => {
  const { server } = behind(1000 * KiB)
  const nested = (levels: number) => `["${text}",${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}]`
  const intake = intakeFor(server)
  expect(intake.weigh(nested(server.budgets.maxNesting))).toBeUndefined()
  expect(intake.weigh(nested(server.budgets.maxNesting + 1))?.message).toMatch(/nested more than 256 levels/)
})

import { describe, expect, it } from 'vitest'
import { Confidential } from './confidential.ts'
import { toSecrets } from './secret-forms.ts'

const of = (...secrets: readonly string[]) => new Confidential(toSecrets(secrets))
const token = Array.from({ length: 40 }, (_, at) => (at * at).toString(36)).join('+')
const hexed = Buffer.from(token).toString('hex')

it.each([
  ['as it is', token, 64],
  ['in base64', btoa(token), 76],
  ['in base64 with what comes before and after it', btoa(`token ${token}, it is.`), 76],
  ['in hexadecimal', hexed, 60],
  ['in capitals of that', hexed.toUpperCase(), 60],
])('a secret is hidden to its end, also where it stands in lines: %s', (_way, said, width) => {
  for (const end of ['\n', '\r\n', '\\n', '\\r\\n']) {
    const lines = said.match(new RegExp(`.{1,${width}}`, 'g'))?.join(end)
    const told = of(token).hide(`It said: ${lines}${end}and no more.`)
    expect(told).toMatch(/^It said: \w{0,8}\[…\][\w=]{0,12}(?:\s|\\r|\\n)+and no more\.$/)
  }
})

it('the line after a secret that was cut off is told', () => {
  expect(of('abcdefghijklmnopqrst').hide('abcdefghijklmn\nis wrong')).toBe('[…]\nis wrong')
})

it('what is too short to stand within other words is not looked for in hexadecimal', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex')
  expect(of('abcdefg').hide(hex('abcdefg'))).toBe(hex('abcdefg'))
  expect(of('abcdefgh').hide(`${hex('xabcdefghy')}`)).toBe('78[…]79')
})

describe('what is long is looked through in turns', () => {
  const turnsOf = async (value: unknown, hiding = of(token)) => {
    let turns = 0
    let isOver = false
    const next = () => {
      turns++
      if (!isOver) setImmediate(next)
    }
    next()
    const told = await hiding.hideInTurns(value)
    isOver = true
    return { turns, told }
  }
  const clean = 'clean text '.repeat(200_000)

  it.each<[what: string, value: unknown, told: unknown]>([
    ['one text', clean, clean],
    [
      'many secrets in one text',
      `${token} `.repeat(10_000) + clean,
      expect.stringMatching(/^(?:\[…\] ){10000}clean/),
    ],
    ['many texts', Array(3000).fill('clean text '.repeat(100)), expect.any(Array)],
    ['many names', Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])), {}],
    ['texts that only keep us busy', Array(100).fill('a'.repeat(4000)), Array(100).fill('[…]')],
  ])('%s', async (_what, value, told) => {
    const busy = of(...Array.from({ length: 8 }, (_, at) => 'a'.repeat(9000 + at)), token)
    const found = await turnsOf(value, busy)
    expect(found.turns).toBeGreaterThan(4)
    expect(found.told).toEqual(Object.keys(told as object).length === 0 ? value : told)
  })

  it('or not at all, where there is one turn alone', () => {
    expect(of(token).hideAtOnce({ data: clean })).toBeUndefined()
    expect(of(token).hideAtOnce({ data: token })).toEqual({ data: '[…]' })
  })

  it('and what is short at once', () => {
    expect(of(token).hideInTurns({ text: `it is ${token}` })).toEqual({ text: 'it is […]' })
  })
})

import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropEntry, putEntry } from '../../src/cli/install/edit.ts'
import { bash } from '../../src/cli/install/formats/bash.ts'
import { jsonc } from '../../src/cli/install/formats/jsonc.ts'
import { toml } from '../../src/cli/install/formats/toml.ts'
import { yaml } from '../../src/cli/install/formats/yaml.ts'

const FORMATS = { jsonc, toml, yaml, bash }

/** What people put into paths, arguments and headers. */
const awkward = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(...`a "'\\\`$(){}[]#;&|<>!*?~%=:,-\t/é`.split(''), '😀') }),
  fc.constantFrom(
    'true',
    'null',
    '- a',
    'a: b',
    '# no',
    '1.5',
    'a\nb',
    '"""',
    "'''",
    '<<END',
    '$(rm)',
    '${HOME',
  ),
)
const entry = fc.record({
  type: fc.constant('stdio'),
  command: awkward,
  args: fc.array(awkward, { minLength: 1, maxLength: 3 }),
  env: fc.dictionary(fc.stringMatching(/^[A-Z]{1,4}$/), awkward, { minKeys: 1, maxKeys: 2 }),
})

describe.each(Object.entries(FORMATS))('%s', (name, format) => {
  const path = [name === 'bash' ? 'mcp' : 'servers', 'moon']

  it('takes any text as a value, says it when it is read, and is as before without it', () => {
    fc.assert(
      fc.property(entry, (value) => {
        const before =
          name === 'jsonc'
            ? '{\n  "a": 1 // b\n}\n'
            : name === 'bash'
              ? 'option a # b\n'
              : name === 'toml'
                ? 'a = 1 # b\n'
                : 'a: 1 # b\n'
        const put = putEntry(format, before, { path, value })
        expect(put).toContain(name === 'jsonc' ? '// b' : '# b')
        const dropped = dropEntry(format, put, path)
        expect(format.parse(dropped)).toMatchObject(format.parse(before))
      }),
      { numRuns: 150 },
    )
  })
})

/** JSON as somebody may have written it, with white space, remarks and commas wherever they may be. */
const written: fc.Arbitrary<string> = fc.letrec<{ node: string; object: string }>((tie) => {
  const gap = fc.constantFrom('', ' ', '\n', '\t', '\r\n', ' // remark "{\n', '/* [, */', '\n  ')
  const tail = fc.constantFrom('', ',')
  const key = fc.constantFrom('"a"', '"b"', '"c\\"d"', '"servers "', '"\\u0065"')
  const member = fc
    .tuple(gap, key, gap, gap, tie('node'), gap)
    .map(([g1, k, g2, g3, v, g4]) => `${g1}${k}${g2}:${g3}${v}${g4}`)
  const list = (one: fc.Arbitrary<string>, [open, close]: readonly [string, string]) =>
    fc
      .tuple(fc.array(one, { maxLength: 3 }), tail, gap)
      .map(([all, comma, end]) => `${open}${all.join(',')}${all.length > 0 ? comma : ''}${end}${close}`)
  return {
    object: list(member, ['{', '}']),
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('1', '-2.5e3', 'true', 'null', '"x // y"'),
      tie('object'),
      list(tie('node'), ['[', ']']),
    ),
  }
}).object

it('JSON of any layout is edited where its entry is, and nowhere else', () => {
  fc.assert(
    fc.property(written, fc.boolean(), (text, isThere) => {
      const whole = isThere
        ? text.replace('{', '{"servers": {"mine": {}},').replace(/,(\s*)\}$/, '$1}')
        : text
      const put = putEntry(jsonc, whole, { path: ['servers', 'moon'], value: { command: 'x', args: ['y'] } })
      const dropped = dropEntry(jsonc, put, ['servers', 'moon'])
      const { servers: _now, ...rest } = jsonc.parse(dropped)
      const { servers: _then, ...before } = jsonc.parse(whole)
      expect(rest).toEqual(before)
    }),
    { numRuns: 300 },
  )
})

const hasBash = spawnSync('bash', ['--version']).status === 0

it('a shell gives the command what was meant, with its variables filled in', ({ skip }) => {
  skip(!hasBash, 'there is no bash to run a script with')
  const awkwardWords = [
    'it\'s "so"',
    '$(id) `id` \\',
    'a b',
    '',
    '!x',
    '*',
    '~/x',
    'Bearer ${KEY} $5 "q" \\ `b`',
  ]
  const value = { type: 'stdio', command: '/a b/c', args: awkwardWords, env: { KEY: '${KEY}' } }
  const script = `mcp() { printf '%s\\0' "$@"; }\n${bash.put('', ['mcp', 'moon'], value)}`
  const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env: { KEY: 's3cr3t "x"' } })
  const words = awkwardWords.map((word) => word.replace('${KEY}', 's3cr3t "x"'))
  expect(stdout.split('\0').slice(0, -1)).toEqual([
    ...['add', 'moon', '--type', 'stdio', '--command', '/a b/c'],
    ...words.flatMap((word) => ['--args', word]),
    ...['--env', 'KEY', 's3cr3t "x"'],
  ])
})

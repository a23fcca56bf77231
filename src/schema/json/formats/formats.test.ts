import { expect, it } from 'vitest'
import { findFormat } from './index.ts'

/** Of each format texts that are of it, and beside them texts that nearly are. */
const TEXTS: Record<string, readonly [right: readonly string[], wrong: readonly string[]]> = {
  date: [
    ['2024-02-29', '2026-11-16'],
    ['2023-02-29', '2026-13-01', '2026-1-1', '2026-11-16T'],
  ],
  time: [
    ['12:00:00Z', '23:59:60Z', '12:00:00.5+01:30'],
    ['24:00:00Z', '12:00:00', '12:60:00Z', '12:00:00+24:00', '22:59:60Z'],
  ],
  'date-time': [
    ['2026-11-16T12:00:00Z', '2026-11-16t12:00:00.123z'],
    ['2026-11-16 12:00:00Z', '2026-11-16T12:00:00'],
  ],
  duration: [
    ['P1D', 'PT1H30M', 'P2W', 'P1Y2M3DT4H5M6S'],
    ['P', 'PT', '1D', 'P1H', 'P1W1D', 'P1D2Y'],
  ],
  email: [
    ['joe@example.com', '"joe bloggs"@example.com'],
    ['joe', '@example.com', 'joe@', '.joe@example.com', 'jo..e@example.com'],
  ],
  'idn-email': [['실례@실례.테스트', 'joe@example.com'], ['2962']],
  hostname: [
    ['example.com', 'a', 'a-b.c'],
    ['-a', 'a-', 'a_b', '', 'a..b', `${'a'.repeat(64)}.com`],
  ],
  'idn-hostname': [
    ['실례.테스트', 'example.com'],
    ['실례..테스트', '-실례'],
  ],
  ipv4: [
    ['127.0.0.1', '255.255.255.255'],
    ['256.0.0.1', '127.0.0', '01.2.3.4', '1.2.3.4.5'],
  ],
  ipv6: [
    ['::1', 'fe80::1', '1:2:3:4:5:6:7:8', '::ffff:192.168.0.1'],
    [':::', '1:2:3:4:5:6:7', '::1%eth0', '1::2::3', '12345::'],
  ],
  uri: [
    ['https://example.com/a?b#c', 'urn:a:b'],
    ['//example.com', 'a b', 'https://exa mple.com', '/a'],
  ],
  'uri-reference': [
    ['/a', '#b', '', 'https://example.com'],
    ['\\a', 'a b'],
  ],
  iri: [
    ['https://éxample.com/ü', 'https://example.com'],
    ['/ü', 'https://a b'],
  ],
  'iri-reference': [['/ü', '#ü'], ['\\ü']],
  'uri-template': [
    ['/a/{b}', '{+path}', '/a'],
    ['/a/{b', '/a}'],
  ],
  uuid: [
    ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2EB8AA08-AA98-11EA-B4AA-73B441D16380'],
    [
      '2eb8aa08-aa98-11ea-b4aa-73b441d1638',
      '2eb8aa08aa9811eab4aa73b441d16380',
      '2eb8aa08-aa98-11ea-b4aa-73b441d1638g',
    ],
  ],
  'json-pointer': [
    ['', '/', '/a~0b/c~1d'],
    ['a', '/a~2', '/a~'],
  ],
  'relative-json-pointer': [
    ['0', '1/a', '12#'],
    ['/a', '01', '-1', '0##'],
  ],
  regex: [
    ['^a+$', '\\p{L}'],
    ['(', '[b-a]', '\\Z'],
  ],
}

it.each(Object.entries(TEXTS))('%s is told from what is not', (name, [right, wrong]) => {
  const fits = findFormat(name)
  const verdicts = [...right, ...wrong].map((text) => [text, fits?.(text)])
  expect(verdicts).toEqual([...right.map((text) => [text, true]), ...wrong.map((text) => [text, false])])
})

it('says nothing of a format that nobody knows, nor good of a text without end', () => {
  expect(findFormat('colour')).toBe(undefined)
  expect([findFormat('regex')?.('a'.repeat(4096)), findFormat('regex')?.('a'.repeat(4097))]).toEqual([
    true,
    false,
  ])
})

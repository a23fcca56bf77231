import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer'
import { describe, expect, it } from 'vitest'
import { tokensIn } from '../../src/context/budget/tokens.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const numbers = Array.from({ length: 2000 }, (_, at) => at)
const hash = (at: number, form: 'hex' | 'base64') => createHash('sha256').update(String(at)).digest(form)

const TEXTS = {
  prose: readFileSync(join(ROOT, 'docs', 'AUTHORS.md'), 'utf8').slice(0, 20_000),
  code: readFileSync(join(ROOT, 'src', 'kernel', 'calls', 'link.ts'), 'utf8'),
  records: JSON.stringify(
    numbers.map((at) => ({ id: at, title: `Issue ${at}`, state: 'open', at: '2026-11-01T12:34:56Z' })),
  ),
  indented: JSON.stringify(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')), null, 2),
  fractions: JSON.stringify(numbers.map((at) => Math.sin(at))),
  digits: JSON.stringify(numbers.map((at) => at % 10)),
  hex: numbers
    .slice(0, 300)
    .map((at) => hash(at, 'hex'))
    .join('\n'),
  base64: numbers
    .slice(0, 300)
    .map((at) => hash(at, 'base64'))
    .join(''),
  table: numbers.map((at) => `${at},${(at / 7).toFixed(2)},ACME Corp,2026-01-01`).join('\n'),
  chinese: '这是一个基于协议的服务器工具，专门用于将图像插入到演示文稿中。'.repeat(100),
  russian: 'Это сервер для поиска и чтения документов. '.repeat(100),
}

describe('the tokens of a text', () => {
  it.each(Object.entries(TEXTS))('are told well enough without a tokenizer: %s', (_kind, text) => {
    const told = tokensIn(text) / countTokens(text)
    expect(told).toBeGreaterThan(0.85)
    expect(told).toBeLessThan(3.2)
  })
})

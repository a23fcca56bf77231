import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT, readPage } from './markdown.ts'

const SRC = join(ROOT, 'src')
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(SRC, file), 'utf8').replaceAll("\\'", "'"))

const messages = [...readPage('docs/guide/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
  ([, message = '']) => message,
)

/** The words of a message that stay the same. */
function wordsOf(message: string): readonly string[] {
  return message
    .split(/…|"…"/)
    .flatMap((part) => part.split(/(?:^|(?<=\. ))Did you mean |[?] See/))
    .map((part) => part.replaceAll(/^[\s.":?]+|[\s.":?]+$/g, ''))
    .filter((part) => part.length > 2)
}

it.each(messages)('the code says: %s', (message) => {
  const words = wordsOf(message)
  expect(words.length).toBeGreaterThan(0)
  const saying = sources.filter((text) => words.every((part) => text.includes(part)))
  expect(saying.length, `no file of src/ says all of: ${words.join(' … ')}`).toBeGreaterThan(0)
})

it('there is a message in every table', () => {
  expect(messages.length).toBeGreaterThan(25)
})

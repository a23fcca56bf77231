import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const DOCS = join(import.meta.dirname, '..', '..', 'docs')
const page = readFileSync(join(DOCS, 'QUESTIONS.md'), 'utf8')

/** Every answer: a name in a file, or a place alone. */
const answers = [...page.matchAll(/\[(`?)([^\]`]+)`?\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(
  ([, code, name = '', link = '']) => ({ name, link, isName: code === '`' }),
)

it('every answer leads to a file or a folder that is there', () => {
  expect(answers.filter(({ link }) => !existsSync(join(DOCS, link)))).toEqual([])
  expect(answers.length).toBeGreaterThan(50)
})

it('every name is declared where its link leads', () => {
  const strays = answers.filter(({ name, link, isName }) => {
    const declared = new RegExp(
      `^(?:export )?(?:async )?(?:function|class|const|interface|type) ${name}\\b`,
      'm',
    )
    return isName && !declared.test(readFileSync(join(DOCS, link), 'utf8'))
  })
  expect(strays).toEqual([])
})

it('every question has an answer that is a link', () => {
  const questions = page.split('\n').filter((line) => line.startsWith('**'))
  expect(questions.filter((line) => !/^\*\*[^*]+\?\*\* .*\]\(/.test(line))).toEqual([])
  expect(questions.length).toBeGreaterThan(20)
})

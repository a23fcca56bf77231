import { expect, it } from 'vitest'
import { printTerm, searchBlocks } from './blocks.ts'
import { binding } from './statement.ts'

function ask(before: number | undefined) {
  const { values, bind } = binding()
  const page = { conditions: 'TRUE', list: "ann's", limit: bind(3), bind, before }
  return { sql: searchBlocks("'~pack':*", page), values }
}

it('hands over whatever callers wrote as values, and has none of it in its words', () => {
  const { sql, values } = ask(undefined)
  expect(values).toEqual([3, "ann's", "'~pack':*"])
  expect(sql).not.toMatch(/ann|pack/)
  expect(new Set(sql.match(/\$\d+/g))).toEqual(new Set(['$1', '$2', '$3']))
})

it('begins below the last task of the page before, in its block and in the first one', () => {
  expect(ask(undefined).sql).not.toContain('t.number <')
  const { sql, values } = ask(9000)
  expect(values).toContain(9000)
  expect(sql.match(/number < \$3/g)).toHaveLength(2)
})

it.each([
  [{ word: '§sdone' }, "'~§sdone'"],
  [{ word: 'pack', begins: true } as const, "'~^pack'"],
  [{ word: '𐐷𐐷𐐷𐐷', begins: true } as const, "'~^𐐷𐐷𐐷𐐷'"],
  [{ word: 'parce', begins: true } as const, "'~parce':*"],
  [{ word: '§d20261117', begins: true } as const, "'~^§d20261117'"],
])('asks for %j by what the index has of it', (term, query) => {
  expect(printTerm(term)).toBe(query)
})

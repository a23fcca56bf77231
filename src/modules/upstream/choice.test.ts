import { expect, it } from 'vitest'
import { chooseTools } from './choice.ts'

const LONG = 'x_y'.repeat(30_000)

it('says little of tools with long names, however many settings name none of them', () => {
  const listed = Array.from({ length: 10 }, (_, at) => ({ name: `get_${at}_${LONG}` }))
  const rename = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`create_issue_${at}`, `bug${at}`]))
  const { tools, problems } = chooseTools([...listed, ...structuredClone(listed)], {
    rename,
    tools: ['*', 'nothing'],
  })
  expect(tools).toHaveLength(10)
  expect(problems).toHaveLength(10 + 1 + 6)
  expect(problems.join('').length).toBeLessThan(5000)
  expect(problems).toContain('rename: it has no tool create_issue_0. Expected: …')
})

import { expect, it } from 'vitest'
import { storm } from '../../scripts/dev-storm/storm.mjs'

/** One client that answers as it is told to, by how many edits have been saved and how often it was asked since. */
async function endure(answer: (saved: number, asked: number) => Promise<string>) {
  let saved = 0
  let asked = 0
  const save = (number: number) => {
    saved = number
    asked = 0
  }
  const client = { told: undefined, lost: [], stderr: '', call: () => answer(saved, asked++) }
  const opener = ['liar', async () => ({ ...client, close: async () => {} })] as const
  const plan = { transport: 'stdio', edits: 3, broken: 0, pauseMs: 0, patienceMs: 200 } as const
  const [row] = await storm({ save, break: () => {} }, { ...plan, openers: [opener] })
  return { wrong: row?.wrong, edits: row?.cells[1], complaints: row?.complaints }
}

it('has nothing to say where each call is answered by what was saved', async () => {
  expect(await endure(async (saved) => `${saved} 0`)).toEqual({ wrong: 0, edits: 3, complaints: [] })
})

it('notices a call that old code has answered, though the next is answered by what was saved', async () => {
  expect(await endure(async (saved, asked) => `${saved === 2 && asked === 0 ? 1 : saved} 0`)).toEqual({
    wrong: 1,
    edits: 3,
    complaints: ['a call after 2 was saved was answered by 1'],
  })
})

it('ends where a client hears nothing any more', async () => {
  const silence = new Promise<string>(() => {})
  expect(await endure((saved) => (saved === 2 ? silence : Promise.resolve(`${saved} 0`)))).toEqual({
    wrong: 1,
    edits: 2,
    complaints: ['a call was not answered within 0.2 s'],
  })
})

it('ends where a client hears of nothing but errors', async () => {
  const { wrong, edits, complaints } = await endure((saved) =>
    saved === 2 ? Promise.reject(new Error('gone')) : Promise.resolve(`${saved} 0`),
  )
  expect(wrong).toBeGreaterThan(1)
  expect({ edits, complaints }).toEqual({ edits: 2, complaints: ['gone'] })
})

import { beforeEach, expect, it } from 'vitest'
import { Complaints } from './complaints.ts'

let told: string[]
let complaints: Complaints

beforeEach(() => {
  told = []
  complaints = new Complaints((message) => told.push(message))
})

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(`${code} /srv/x`), { code }))

it('tells the same thing once, and again after it was right', () => {
  for (const message of ['bad', 'bad', undefined, 'bad', 'worse']) complaints.settle('x', message)
  expect(told).toEqual(['bad', 'bad', 'worse'])
})

it('keeps deeds on the same path apart', async () => {
  for (let time = 0; time < 2; time++) {
    expect(await complaints.guard('find', 'a', async () => 1)).toBe(1)
    expect(await complaints.guard('read', 'a', failing('EACCES'))).toBeUndefined()
  }
  expect(told).toEqual(['Left out: Permission denied for a'])
})

it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'])(
  'lets %s pass, so that nothing seems to be missing',
  async (code) => {
    await expect(complaints.guard('read', 'a', failing(code))).rejects.toMatchObject({ code })
    expect(told).toEqual([])
  },
)

it('lets mistakes of ours pass', async () => {
  const mistake = new TypeError('ours')
  await expect(complaints.guard('read', 'a', () => Promise.reject(mistake))).rejects.toBe(mistake)
})

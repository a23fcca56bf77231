import { expect, it } from 'vitest'
import { BytePieces } from './byte-pieces.ts'

const piece = (length: number, fill: number) => new Uint8Array(length).fill(fill)

it('gives what was put into it, in whatever pieces, as often as it is asked', () => {
  const buffer = new BytePieces()
  const pieces = [1, 5000, 3, 3, 4096, 100_000, 1, 4095, 2].map((length, fill) => piece(length, fill))
  for (const one of pieces) buffer.add(one)
  const all = Buffer.concat(pieces)
  expect(buffer.length).toBe(all.length)
  expect(all.equals(buffer.take())).toBe(true)
  buffer.add(piece(2, 9))
  expect(Buffer.concat([all, piece(2, 9)]).equals(buffer.take())).toBe(true)
})

it('hands out a single piece as it came, and nothing where nothing came', () => {
  const one = piece(10, 1)
  const buffer = new BytePieces()
  expect(buffer.take()).toHaveLength(0)
  buffer.add(one)
  expect(buffer.take()).toBe(one)
})

it('keeps large pieces as they came, and neither small ones nor views of more', () => {
  const buffer = new BytePieces()
  const slab = piece(65_536, 1)
  const view = slab.subarray(0, 4096)
  const [own, half, less] = [piece(4096, 2), piece(8192, 3), piece(8194, 4)]
  const [small, tail] = [piece(4095, 5), piece(1, 6)]
  for (const one of [piece(1, 0), view, own, half.subarray(4096), less.subarray(0, 4096), small, tail])
    buffer.add(one)
  for (const one of [slab, own, half, less, small]) one.fill(9)
  expect([...new Set(buffer.take())]).toEqual([0, 1, 9, 4, 5, 6])
})

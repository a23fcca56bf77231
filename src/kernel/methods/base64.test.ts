import { afterEach, expect, it, vi } from 'vitest'
import { toBase64 } from './base64.ts'

afterEach(() => vi.unstubAllGlobals())

const ALL = Uint8Array.from({ length: 20_000 }, (_, at) => at % 256)
const PART = ALL.subarray(3, 19_000)
const EXPECTED = btoa(Array.from(PART, (byte) => String.fromCharCode(byte)).join(''))

it('is made by Node', () => {
  const used = vi.spyOn(Buffer.prototype, 'toString')
  expect(toBase64(PART)).toBe(EXPECTED)
  expect(used).toHaveBeenCalledWith('base64')
  used.mockRestore()
})

it('is made by the bytes themselves where they can', () => {
  vi.stubGlobal('Buffer', undefined)
  expect(toBase64(Object.assign(new Uint8Array(3), { toBase64: () => 'by itself' }))).toBe('by itself')
})

it('is made without either', () => {
  vi.stubGlobal('Buffer', undefined)
  expect(toBase64(PART)).toBe(EXPECTED)
})

import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { drawMoon } from './picture.ts'
import { printPng } from './png.ts'

interface Decoded {
  readonly width: number
  readonly height: number
  /** Brightness of a pixel, 0 to 255. */
  luma(x: number, y: number): number
}

/** Reads what the writer writes: eight bits, indexed, no filter. */
function decode(png: Uint8Array): Decoded {
  const bytes = Buffer.from(png)
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const length = bytes.readUInt32BE(at)
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length))
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
  const [header, colours, rows] = [chunks.get('IHDR'), chunks.get('PLTE'), chunks.get('IDAT')]
  if (header === undefined || colours === undefined || rows === undefined)
    throw new Error('A chunk is missing')
  const [width, height, pixels] = [header.readUInt32BE(0), header.readUInt32BE(4), inflateSync(rows)]
  expect([...header.subarray(8)]).toEqual([8, 3, 0, 0, 0])
  expect(pixels).toHaveLength(height * (width + 1))
  return {
    width,
    height,
    luma: (x, y) => {
      const [red = 0, green = 0, blue = 0] = colours.subarray(3 * (pixels[y * (width + 1) + 1 + x] ?? 0))
      return 0.299 * red + 0.587 * green + 0.114 * blue
    },
  }
}

/** Which parts of the left and of the right half of the disc are lit. */
function litHalves(illumination: number, waxing: boolean): readonly [left: number, right: number] {
  const { width, height, luma } = decode(printPng(drawMoon({ illumination, waxing })))
  const lit = [0, 0] as [number, number]
  let disc = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) > 0.44 * width) continue
      disc++
      if (luma(x, y) > 85) lit[x < width / 2 ? 0 : 1]++
    }
  }
  return [lit[0] / (disc / 2), lit[1] / (disc / 2)]
}

it('is a small PNG of 200 by 200 pixels', () => {
  const png = printPng(drawMoon({ illumination: 0.7, waxing: true }))
  expect(decode(png)).toMatchObject({ width: 200, height: 200 })
  expect(png.length).toBeLessThan(10_000)
})

it('has chunks whose checksums are right', () => {
  // The checksum of an empty IEND chunk is known from every PNG there is.
  const png = Buffer.from(printPng(drawMoon({ illumination: 0.5, waxing: true })))
  expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082')
})

it.each([0, 0.03, 0.1, 0.25, 0.5, 0.63, 0.75, 0.9, 0.97, 1])('lights %d of the disc', (illumination) => {
  for (const waxing of [true, false]) {
    const [left, right] = litHalves(illumination, waxing)
    expect(Math.abs((left + right) / 2 - illumination)).toBeLessThan(0.02)
  }
})

it('lights the right side while the Moon waxes and the left while it wanes', () => {
  const [left, right] = litHalves(0.5, true)
  expect(left).toBeLessThan(0.02)
  expect(right).toBeGreaterThan(0.98)
  const [waningLeft, waningRight] = litHalves(0.5, false)
  expect(waningLeft).toBeGreaterThan(0.98)
  expect(waningRight).toBeLessThan(0.02)
})

it('shows the dark side faintly against the sky', () => {
  const { luma } = decode(printPng(drawMoon({ illumination: 0, waxing: true })))
  expect(luma(100, 100)).toBeGreaterThan(luma(2, 2) + 10)
  expect(luma(100, 100)).toBeLessThan(70)
})

it('has a limb of many shades and not of steps', () => {
  const { luma } = decode(printPng(drawMoon({ illumination: 1, waxing: true })))
  const shades = new Set(Array.from({ length: 200 }, (_, y) => luma(12, y)).map(Math.round))
  expect(shades.size).toBeGreaterThan(5)
})

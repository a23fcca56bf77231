import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

/** A picture of at most 256 colours: one byte a pixel, row by row, each the index of a colour. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly colours: readonly Colour[]
  readonly pixels: Uint8Array
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const BITS = 8
const INDEXED = 3

/** https://www.w3.org/TR/png-3/ */
export function printPng(picture: Picture): Uint8Array {
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(picture)),
    chunk('PLTE', Uint8Array.from(picture.colours.flat())),
    chunk('IDAT', deflateSync(filtered(picture))),
    chunk('IEND', new Uint8Array()),
  ])
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  return Buffer.concat([fourBytes(content.length), body, fourBytes(crc32(body))])
}

/** Compression, filter method and interlacing are 0, the only or the plain choice. */
function header({ width, height }: Picture): Uint8Array {
  return Buffer.concat([fourBytes(width), fourBytes(height), Uint8Array.of(BITS, INDEXED, 0, 0, 0)])
}

/** Every row begins with the number of its filter; 0 leaves the bytes as they are. */
function filtered({ width, height, pixels }: Picture): Uint8Array {
  const rows = new Uint8Array(height * (width + 1))
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  }
  return rows
}

function fourBytes(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

import { CRATERS, type Patch, SEAS } from './face.ts'
import type { Colour, Picture } from './png.ts'

/** What the picture shows: how much of the disc is lit, 0 to 1, and whether that part is growing. */
export interface View {
  readonly illumination: number
  readonly waxing: boolean
  /** As it is seen from a place; upright, as from the northern hemisphere, unless said. */
  readonly turned?: Turned | undefined
}

/** Where the lit edge and the north of the face point, in degrees: 0 up, 90 right. */
export interface Turned {
  readonly tilt: number
  readonly north: number
}

/** How many pixels the picture is wide and high. */
const SIZE = 200

/** Of the disc, as a share of the picture. */
export const RADIUS = 0.44

/** From the night sky through earthshine to the highlands at full Moon. */
const STOPS: readonly Colour[] = [
  [9, 13, 27],
  [44, 52, 74],
  [139, 137, 138],
  [226, 219, 204],
  [255, 252, 242],
]
const SHADES = 96
export const COLOURS: readonly Colour[] = Array.from({ length: SHADES }, (_, shade) =>
  blend(shade / (SHADES - 1)),
)

/** The dark side is faintly visible by the light of the Earth. */
const EARTHSHINE = 0.2

/** Half the width over which the terminator fades, in radii: the Sun is not a point, the ground not flat. */
const PENUMBRA = 0.03
const SHARPEST = 0.006

/** The Moon as it looks from the northern hemisphere, lit on the right while it waxes, or as it is turned elsewhere. */
export function drawMoon({ illumination, waxing, turned }: View, size = SIZE): Picture {
  const pixels = new Uint8Array(size * size)
  const grounds = turned === undefined ? uprightGrounds(size) : drawGrounds(size, turned.north)
  const light = { illumination, towards: pointing(turned?.tilt ?? (waxing ? 90 : 270)) }
  eachPixel(size, (pixel) => {
    const bright = pixel.covered * brightness(pixel, grounds[pixel.place] ?? 0, light)
    pixels[pixel.place] = Math.round(bright * (SHADES - 1))
  })
  return { width: size, height: size, colours: COLOURS, pixels }
}

interface Pixel {
  readonly place: number
  /** Where it lies on a disc of radius 1. */
  readonly x: number
  readonly y: number
  /** The limb covers the pixels it crosses in part, which makes it smooth. */
  readonly covered: number
}

/** Of those that the disc covers. */
function eachPixel(size: number, visit: (pixel: Pixel) => void): void {
  const radius = size * RADIUS
  for (let place = 0; place < size * size; place++) {
    const x = ((place % size) + 0.5 - size / 2) / radius
    const y = (size / 2 - Math.floor(place / size) - 0.5) / radius
    // Math.hypot is careful with numbers that are far too large, and slow.
    const covered = limit((1 - Math.sqrt(x * x + y * y)) * radius + 0.5)
    if (covered > 0) visit({ place, x, y, covered })
  }
}

/** From where the disc is lit. */
interface Light {
  readonly illumination: number
  readonly towards: Pointing
}

/** A direction on the disc, as what it measures to the right and upwards. */
interface Pointing {
  readonly right: number
  readonly up: number
}

function pointing(degrees: number): Pointing {
  const angle = (degrees * Math.PI) / 180
  return { right: Math.sin(angle), up: Math.cos(angle) }
}

function brightness({ x, y }: Pixel, bright: number, light: Light): number {
  const shine = EARTHSHINE * bright
  return shine + litShare(x, y, light) * (bright * limb(x, y) - shine)
}

/** The ground is the same at every phase, and takes most of the time of a picture; of the sizes that are drawn often. */
const upright = new Map<number, Float32Array>()

function uprightGrounds(size: number): Float32Array {
  const found = upright.get(size) ?? drawGrounds(size, 0)
  if (size <= SIZE) upright.set(size, found)
  return found
}

function drawGrounds(size: number, north: number): Float32Array {
  const grounds = new Float32Array(size * size)
  const { right, up } = pointing(north)
  eachPixel(size, ({ place, x, y }) => {
    grounds[place] = ground(x * up - y * right, x * right + y * up)
  })
  return grounds
}

/** The terminator is half an ellipse as high as the disc; the lit part is as wide as the illumination says in every row. */
function litShare(x: number, y: number, { illumination, towards }: Light): number {
  const along = x * towards.right + y * towards.up
  const across = y * towards.right - x * towards.up
  const halfWidth = Math.sqrt(Math.max(0, 1 - across * across))
  const inward = along - halfWidth * (1 - 2 * illumination)
  // At new and full Moon the terminator is the limb, where there is nothing to fade.
  const softness = PENUMBRA * Math.min(1, 8 * illumination * (1 - illumination)) + SHARPEST
  return smooth(limit(0.5 + inward / (2 * softness)))
}

/** How bright the ground is: highlands near 1, the seas darker, the rays of young craters brighter. */
function ground(x: number, y: number): number {
  const [left, up] = [x + ragged(y, x), y + ragged(x, y + 2)]
  const seas = sum(SEAS, left, up)
  const rays = sum(CRATERS, x, y)
  return limit(0.9 - 0.36 * smooth(limit(seas * 1.7)) * limit(0.72 + seas * 0.3) + 0.1 * rays)
}

/** Bends straight lines a little, because no coast is an ellipse. */
function ragged(along: number, across: number): number {
  return 0.028 * Math.sin(9 * along + 4 * across) + 0.016 * Math.sin(23 * along - 13 * across)
}

function sum(patches: readonly Patch[], x: number, y: number): number {
  return patches.reduce((total, patch) => {
    const off = ((x - patch.x) / patch.width) ** 2 + ((y - patch.y) / patch.height) ** 2
    return off >= 1 ? total : total + patch.strength * (1 - off)
  }, 0)
}

/** A ball lit from the front is a little darker where it turns away. */
function limb(x: number, y: number): number {
  return 0.86 + 0.14 * Math.sqrt(Math.max(0, 1 - x * x - y * y))
}

function blend(share: number): Colour {
  const place = share * (STOPS.length - 1)
  const [from, to] = [STOPS[Math.floor(place)] ?? [0, 0, 0], STOPS[Math.ceil(place)] ?? [0, 0, 0]]
  const mix = (channel: 0 | 1 | 2) => Math.round(from[channel] + (place % 1) * (to[channel] - from[channel]))
  return [mix(0), mix(1), mix(2)]
}

function limit(value: number): number {
  return Math.min(1, Math.max(0, value))
}

function smooth(share: number): number {
  return share * share * (3 - 2 * share)
}

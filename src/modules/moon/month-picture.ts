import { COLOURS, drawMoon, type View } from './picture.ts'
import type { Picture } from './png.ts'

const CELL = { width: 52, height: 58 } as const
const MOON = 44
const HEAD = 22
const COLUMNS = 7

/** How bright words are, of the colours that there are. */
const INK = Math.round(COLOURS.length * 0.62)

/** A digit in base 8 for each row of a letter, three pixels wide. */
const LETTERS: { readonly [letter: string]: string } = {
  ...{ '0': '75557', '1': '26227', '2': '71747', '3': '71717', '4': '55711' },
  ...{ '5': '74717', '6': '74757', '7': '71111', '8': '75757', '9': '75717' },
  ...{ M: '57755', O: '75557', T: '72222', U: '55557', W: '55775', E: '74647' },
  ...{ H: '55755', F: '74644', R: '65655', S: '74717', A: '25755' },
}
const DOT = 2

interface MonthLook {
  /** How many days of the first week are not of the month. */
  readonly before: number
  readonly southern: boolean
}

/** A month of small Moons, a week a row. */
export function drawMonth(days: readonly View[], { before, southern }: MonthLook): Picture {
  const rows = Math.ceil((before + days.length) / COLUMNS)
  const [width, height] = [COLUMNS * CELL.width, HEAD + rows * CELL.height]
  const picture = { width, height, colours: COLOURS, pixels: new Uint8Array(width * height) }
  for (const [column, name] of ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'].entries())
    write(picture, name, { x: column * CELL.width + 19, y: 6 })
  for (const [index, view] of days.entries()) {
    const place = index + before
    const x = (place % COLUMNS) * CELL.width
    const y = HEAD + Math.floor(place / COLUMNS) * CELL.height
    write(picture, String(index + 1), { x: x + 2, y: y + 2 })
    paste(
      picture,
      drawMoon(southern ? { ...view, turned: UPSIDE_DOWN[view.waxing ? 'waxing' : 'waning'] } : view, MOON),
      {
        x: x + (CELL.width - MOON) / 2,
        y: y + CELL.height - MOON,
      },
    )
  }
  return picture
}

const UPSIDE_DOWN = { waxing: { tilt: 270, north: 180 }, waning: { tilt: 90, north: 180 } }

interface Corner {
  readonly x: number
  readonly y: number
}

/** What is darker than the words beneath it leaves them as they are. */
function paste(onto: Picture, small: Picture, { x, y }: Corner): void {
  for (const [place, colour] of small.pixels.entries()) {
    const target = (y + Math.floor(place / small.width)) * onto.width + x + (place % small.width)
    onto.pixels[target] = Math.max(colour, onto.pixels[target] ?? 0)
  }
}

function write(onto: Picture, text: string, { x, y }: Corner): void {
  for (const [index, letter] of text.split('').entries())
    for (const [row, bits] of (LETTERS[letter] ?? '').split('').entries())
      for (let column = 0; column < 3; column++)
        if (Number(bits) & (4 >> column)) fill(onto, { x: x + (index * 4 + column) * DOT, y: y + row * DOT })
}

function fill({ width, pixels }: Picture, { x, y }: Corner): void {
  for (let down = 0; down < DOT; down++)
    pixels.fill(INK, (y + down) * width + x, (y + down) * width + x + DOT)
}

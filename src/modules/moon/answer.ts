import type { ToolResult } from '../../kernel/index.ts'
import { findMoon, type Moon } from './phases.ts'
import { drawMoon } from './picture.ts'
import { printPng } from './png.ts'
import { openSky } from './sky.ts'

const DAY = 86_400_000

/** What the tool says about an instant: words, a picture and figures. */
export async function answer(instant: number): Promise<ToolResult> {
  return printMoon(findMoon(await openSky(), instant))
}

function printMoon(moon: Moon): ToolResult {
  const age = Math.round(((moon.instant - moon.lastNewMoon) / DAY) * 100) / 100
  const illumination = Math.round(moon.illumination * 100)
  const { phase, waxing } = moon
  const text =
    `${phase.charAt(0).toUpperCase()}${phase.slice(1)} on ${printMinute(moon.instant)}: ` +
    `${age} days old and ${illumination}% illuminated. ` +
    `Next full moon: ${printMinute(moon.nextFullMoon)}; next new moon: ${printMinute(moon.nextNewMoon)}.`
  const data = Buffer.from(printPng(drawMoon(moon))).toString('base64')
  return {
    content: [
      { type: 'text', text },
      { type: 'image', data, mimeType: 'image/png' },
    ],
    structuredContent: {
      datetime: printSecond(moon.instant),
      phase,
      age,
      illumination,
      waxing,
      nextNewMoon: printSecond(moon.nextNewMoon),
      nextFullMoon: printSecond(moon.nextFullMoon),
    },
  }
}

/** As almanacs do: rounded, because the ephemeris is good to some seconds and not to thousandths. */
function printSecond(instant: number): string {
  const rounded = new Date(Math.round(instant / 1000) * 1000)
  return rounded.toISOString().replace('.000', '')
}

function printMinute(instant: number): string {
  const rounded = new Date(Math.round(instant / 60_000) * 60_000)
  return `${rounded.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

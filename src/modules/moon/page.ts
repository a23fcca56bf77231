import { SCRIPT } from './page-script.ts'
import { STYLE } from './page-style.ts'
import { drawMoon, RADIUS } from './picture.ts'
import { printPng } from './png.ts'

const FULL_MOON = { illumination: 1, waxing: true }

/** Pixels of the embedded picture: sharp on screens of twice the usual density. */
const DETAIL = 480

/** The picture's side in units of the drawing, where the Moon has radius 100. */
const SIDE = 100 / RADIUS

/** An MCP App: everything it needs is in it, and the full Moon it darkens is the one the tool draws. */
export function printPage(): string {
  return printDocument({
    protocol: ' data-protocol-version=2026-01-26',
    style: STYLE,
    more: '',
    script: SCRIPT,
  })
}

interface DocumentParts {
  readonly protocol: string
  readonly style: string
  readonly more: string
  readonly script: string
}

/** The Moon and its figures, with whatever else a page has. */
export function printDocument({ protocol, style, more, script }: DocumentParts): string {
  const picture = Buffer.from(printPng(drawMoon(FULL_MOON, DETAIL))).toString('base64')
  return `<!doctype html>
<html lang="en"${protocol}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Phase of the Moon</title>
<style>${style}</style>
</head>
<body>
<figure>
<svg viewBox="-125 -125 250 250" role="img" aria-labelledby="phase">
<defs>
<clipPath id="disc"><circle r="99.3"/></clipPath>
<clipPath id="rim"><circle r="99.7"/></clipPath>
<filter id="soft" color-interpolation-filters="sRGB" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="1.4"/></filter>
<radialGradient id="glow"><stop offset=".76" stop-color="#dfe4ff" stop-opacity=".16"/><stop offset="1" stop-color="#dfe4ff" stop-opacity="0"/></radialGradient>
</defs>
<g fill="#ffffff">${stars()}</g>
<circle id="halo" r="125" fill="url(#glow)"/>
<image id="face" clip-path="url(#disc)" x="${-SIDE / 2}" y="${-SIDE / 2}" width="${SIDE}" height="${SIDE}" href="data:image/png;base64,${picture}"/>
<g clip-path="url(#rim)"><path id="shadow" fill="#0b1530" fill-opacity=".88" filter="url(#soft)"/></g>
</svg>
</figure>
<main aria-live="polite">
<h1 id="phase">The Moon</h1>
<p id="moment">Looking up…</p>
<dl id="facts" hidden>
<div><dt>Illuminated</dt><dd class="large" id="illumination"></dd></div>
<div><dt>Age</dt><dd class="large" id="age"></dd></div>
<div class="wide"><dt>Next full moon</dt><dd id="full"></dd></div>
<div class="wide"><dt>Next new moon</dt><dd id="new"></dd></div>
</dl>
${more}</main>
<script>${script}</script>
</body>
</html>
`
}

/** A few faint stars, always the same ones. */
function stars(): string {
  const places = Array.from({ length: 26 }, (_, star) => [(star * 97) % 241, (star * 59) % 239])
  return places
    .map(([x = 0, y = 0], star) => [x - 120, y - 119, star] as const)
    .filter(([x, y]) => Math.hypot(x, y) > 106)
    .map(
      ([x, y, star]) =>
        `<circle cx="${x}" cy="${y}" r="${star % 3 ? 0.6 : 0.9}" opacity="${star % 2 ? 0.5 : 0.8}"/>`,
    )
    .join('')
}

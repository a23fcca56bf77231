import { litPath, moonPhase } from '../model/moon.ts'

/** The Moon where it is nearest, on its way round the Earth: what the project is called after. */
export function Orbit() {
  return (
    <svg class="orbit-picture" viewBox="0 0 250 150" aria-hidden="true">
      <g transform="rotate(-14 125 75)">
        <ellipse class="orbit" cx="112" cy="80" rx="100" ry="58" />
        <circle class="earth" cx="160" cy="80" r="6" />
        <g transform="translate(212 80) rotate(14)">
          <circle class="halo" r="34" />
          <circle class="dark-side" r="22" />
          <path class="lit-side" d={litPath(moonPhase(Date.now()), 22)} />
        </g>
      </g>
    </svg>
  )
}

/** The mark: tonight's Moon, where it is nearest on its way round the Earth. */
export function Moon({ size, now = Date.now() }: { readonly size: number; readonly now?: number }) {
  return (
    <svg class="moon" width={size} height={size} viewBox="-16 -16 32 32" aria-hidden="true">
      <ellipse class="orbit" cx="-5" cy="4" rx="19" ry="8" transform="rotate(-24)" />
      <circle class="dark-side" r="9.5" />
      <path class="lit-side" d={litPath(moonPhase(now), 9.5)} />
    </svg>
  )
}

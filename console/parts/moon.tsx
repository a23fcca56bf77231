import { litPath, moonPhase } from '../model/moon.ts'

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

import { cut, estimateTokens, short } from '../model/text.ts'
import { Markdown } from './markdown.tsx'
import { Plain } from './plain.tsx'

interface Offer {
  readonly name: string
  readonly title?: string
  readonly description?: string
}

interface HeadProps {
  readonly what: string
  readonly offer: Offer
  readonly address?: string
  readonly marks?: readonly string[]
}

/** What something is called, what it is for, and what it costs a model to know. */
export function OfferHead({ what, offer, address, marks = [] }: HeadProps) {
  return (
    <header class="offer-head">
      <p class="eyebrow">
        {what}
        <span class="quiet">≈ {short(estimateTokens(offer))} tokens in the catalogue</span>
      </p>
      <h1>
        <Plain text={cut(offer.title ?? offer.name, 160)} />
      </h1>
      <p class="address">
        <Plain text={cut(address ?? offer.name, 300)} />
        {marks.map((mark) => (
          <span key={mark} class="chip">
            {mark}
          </span>
        ))}
      </p>
      {offer.description !== undefined && <Markdown text={offer.description} />}
    </header>
  )
}

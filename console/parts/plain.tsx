import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { cut, safeLink, short, splitUnseen } from '../model/text.ts'

/** Text from elsewhere: what would not be seen in it is shown, and it cannot turn its surroundings round. */
export function Plain({ text }: { readonly text: string }) {
  const parts = splitUnseen(text)
  if (parts.length === 1 && parts[0]?.code === undefined) return <bdi>{text}</bdi>
  return (
    <bdi>
      {parts.map(({ text: part, code }, index) =>
        code === undefined ? (
          part
        ) : (
          <span key={index} class="unseen" title="a character that is not seen">
            {code}
          </span>
        ),
      )}
    </bdi>
  )
}

const [FIRST, STEP] = [4000, 40_000]

/** Long text from its beginning, with more of it on request. */
export function Long({
  text,
  children,
}: {
  readonly text: string
  readonly children?: (part: string) => ComponentChildren
}) {
  const [length, show] = useState(FIRST)
  const part = cut(text, length)
  return (
    <>
      {children === undefined ? <Plain text={part} /> : children(part)}
      {part.length < text.length && (
        <button type="button" class="more" onClick={() => show(length + STEP)}>
          Show more <small>({short(text.length - part.length)} characters left)</small>
        </button>
      )}
    </>
  )
}

/** A link that leads to a page or to mail; anything else is its text. */
export function Outside({
  href,
  children,
}: {
  readonly href: string
  readonly children?: ComponentChildren
}) {
  const safe = safeLink(href)
  if (safe === undefined) return <span class="nolink">{children ?? <Plain text={cut(href, 300)} />}</span>
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow" referrerpolicy="no-referrer">
      {children ?? <Plain text={cut(href, 300)} />}
    </a>
  )
}

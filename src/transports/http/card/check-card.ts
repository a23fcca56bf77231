import { membersOf, text } from '../../../kernel/index.ts'
import { type CardOptions, isCardName } from './options.ts'

/** Throws a TypeError where no catalogue would take what is said. */
export function checkCard(card: boolean | CardOptions | undefined): void {
  if (card === undefined || typeof card === 'boolean') return
  checkMembers(card, 'card')
  const { name, url } = card
  if (name !== undefined && !isCardName(name))
    throw new TypeError(
      `card: name: expected a name such as com.example/weather, got ${JSON.stringify(name)}`,
    )
  if (url !== undefined && !/^https?:\/\/[^\s/]/.test(url))
    throw new TypeError(
      `card: url: expected an address such as https://mcp.example.com/mcp, got ${JSON.stringify(url)}`,
    )
}

const checkMembers = membersOf({ name: text, url: text })

import { membersOf, text } from '../../../kernel/index.ts'

/** What a server says of itself to those who have not connected yet. */
export interface CardOptions {
  /** What it is called, after a domain of one's own: `com.example/weather`; after the host it was asked by unless said. */
  readonly name?: string
  /** The address by which clients reach MCP, where that is not the one they have asked: `https://mcp.example.com/mcp`. */
  readonly url?: string
}

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

/** The names of a domain from the last one on, one slash, and a name. */
export function isCardName(name: string): boolean {
  return name.length <= 200 && /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name)
}

/** Where the card of a server stands, by the path or the address of its MCP. */
export function cardPath(mcp: string): string {
  return `${mcp.replace(/\/$/, '')}/server-card`
}

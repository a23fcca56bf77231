/** What a server says of itself to those who have not connected yet. */
export interface CardOptions {
  /** What it is called, after a domain of one's own: `com.example/weather`; after the host it was asked by unless said. */
  readonly name?: string
  /** The address by which clients reach MCP, where that is not the one they have asked: `https://mcp.example.com/mcp`. */
  readonly url?: string
}

/** The names of a domain from the last one on, one slash, and a name. */
export function isCardName(name: string): boolean {
  return name.length <= 200 && /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name)
}

/** Where the card of a server stands, by the path or the address of its MCP. */
export function cardPath(mcp: string): string {
  return `${mcp.replace(/\/$/, '')}/server-card`
}

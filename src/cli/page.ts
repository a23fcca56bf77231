/** A page beside the protocol, served over HTTP. */
export type Page = (exchange: {
  answer(status: number, headers: { readonly [name: string]: string }, body: string): void
}) => void

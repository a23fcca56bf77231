/** A page beside the protocol, served over HTTP. */
export type HttpPage = (exchange: {
  answer(status: number, headers: { readonly [name: string]: string }, body: string): void
}) => void | Promise<void>

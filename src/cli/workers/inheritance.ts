/** What the process that starts workers gives each of them. */
export interface Inheritance {
  /** What goes with the last of them. */
  readonly folder: string
  /** What they share, where nobody has named anything. */
  readonly store: string
  readonly secret: string
  /** The one they all listen on. */
  readonly port: number
}

const VARIABLE = 'PERIGEE_WORKER'

export function bequeath(inheritance: Inheritance): { readonly [name: string]: string } {
  return { [VARIABLE]: JSON.stringify(inheritance) }
}

/** Undefined unless this is a worker; it is taken away, so that what a worker starts is none. */
export function inherit(): Inheritance | undefined {
  const given = process.env[VARIABLE]
  delete process.env[VARIABLE]
  return given === undefined ? undefined : JSON.parse(given)
}

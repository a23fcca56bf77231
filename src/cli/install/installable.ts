/** A server as it is to be plugged in; `${NAME}` in a value stands for a variable that the host fills in. */
export type Installable = LocalServer | RemoteServer

export interface LocalServer {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
}

export interface RemoteServer {
  readonly name: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
}

const VARIABLE = /\$\{([A-Za-z_]\w*)\}/g

/** The names of the variables in a text. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name)
}

/** A text with its variables put in another way. */
export function eachVariable(text: string, put: (name: string) => string): string {
  return text.replaceAll(VARIABLE, (_whole, name: string) => put(name))
}

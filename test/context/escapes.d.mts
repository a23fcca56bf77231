/** Scripts that try to get out of their sandbox, to hold up the server, or to have it believe something, by name. */
export const ESCAPES: { readonly [name: string]: string }

/** Throws an Error that says why there can be none here. */
export function startPgBouncer(
  url: string,
  settings: { readonly [name: string]: string },
): Promise<{ readonly url: string; stop(): Promise<void> }>

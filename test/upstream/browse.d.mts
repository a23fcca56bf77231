/** What a person does in a browser: opens an address, agrees, and comes back. */
export function browse(
  url: string,
): Promise<{ readonly at: string; readonly status: number; readonly text: string }>

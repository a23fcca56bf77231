/** A port of 127.0.0.1 that nobody listens on; somebody else may take it first. */
export function freePort(): Promise<number>

/** A mistake in what was typed or set; the message says what was expected. */
export class UsageError extends Error {}

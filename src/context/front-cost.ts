/** Catalogues of so many tokens are shown as they are: below that, a model does better with all of them in view. */
export const SHOWN_WHOLE = 8000

/** What the tools that stand before the others cost, about: `search` with `call`, and with `run`. */
export const FRONT_TOKENS = { search: 347, code: 430 }

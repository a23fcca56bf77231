/** Puts something else in the place of keys and tokens that are known by how they look. */
export function hideKeys(text: string, shown: string): string {
  return text.length < SHORTEST || !BEGINNING.test(text) ? text : text.replace(KEY, shown)
}

/** Nothing that has a shape is shorter. */
const SHORTEST = 13

/** Where a key can begin: after no letter and no digit, unless those say how something else is written, as in `%2F`. */
const FREE = '(?:(?<![A-Za-z\\d])|(?<=%[\\dA-Fa-f]{2}))'

/** A JSON Web Token; one that began at each dash would take for ever. */
const JWT = '(?:(?<![\\w-])|(?<=%[\\dA-Fa-f]{2}))eyJ[\\w-]{8,}\\.[\\w-]{4,}(?:\\.[\\w-]*){0,3}'

const PRIVATE_KEY =
  '-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)'

/** How the keys of services begin, and how they go on. */
const SERVICES: readonly (readonly [beginning: string, rest: string])[] = [
  ['xox[a-z]-|xapp-', '[\\w-]{8,}'],
  ['[rsp]k_(?:live|test)_', '\\w{8,}'],
  ['AKIA|ASIA', '[A-Z\\d]{12,}'],
  ['sk-|pypi-|GOCSPX-|nvapi-|pplx-|xai-|tskey-|ya29\\.|hvs\\.', '[\\w-]{16,}'],
  ['gl(?:pat|dt|rt|cbt|ptt|ft|oas|agent|soat)-', '[\\w-]{16,}'],
  [
    'gh[opsur]_|github_pat_|(?:whsec|shp(?:at|ss|ca)|dckr_pat|lin_api|figd|glsa|gsk|sntry[su])_',
    '[\\w-]{16,}',
  ],
  ['npm_|hf_|dop_v1_|r8_|ntn_|sbp_', '\\w{30,}'],
  ['AIza|ATATT3|\\d{8,10}:AA', '[\\w-]{30,}'],
  ['SG\\.', '[\\w-]{16,}\\.[\\w-]{16,}'],
]

/** Nearly no text has one of these, and it is read once to know that. */
const BEGINNING = new RegExp(['-----BEGIN', 'eyJ', ...SERVICES.map(([beginning]) => beginning)].join('|'))

const SERVICE_KEY = SERVICES.map(([beginning, rest]) => `(?:${beginning})${rest}`).join('|')
const KEY = new RegExp(`${PRIVATE_KEY}|${JWT}|${FREE}(?:${SERVICE_KEY})`, 'g')

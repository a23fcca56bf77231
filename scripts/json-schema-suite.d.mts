/** Where the official suite is, and whether it is a checkout or what Debian ships; or why there is none. */
export function findJsonSchemaSuite():
  | { readonly folder: string; readonly edition: 'checkout' | 'debian'; readonly missing?: undefined }
  | { readonly missing: string; readonly folder?: undefined; readonly edition?: undefined }

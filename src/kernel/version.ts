/**
 * The version of this package, as its servers and clients give it. `npm run release` writes it here and into
 * package.json, since a browser and a Worker have no file to read it from.
 * @example console.error(VERSION)
 */
export const VERSION = '0.1.0'

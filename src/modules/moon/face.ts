/** A patch of the near side as seen from the northern hemisphere, on a disc of radius 1. */
export interface Patch {
  /** To the right. */
  readonly x: number
  /** Upwards. */
  readonly y: number
  /** Half of what it measures across. */
  readonly width: number
  readonly height: number
  /** How much it stands out, 0 to 1. */
  readonly strength: number
}

type Site = readonly [longitude: number, latitude: number, width: number, height: number, strength: number]

const SEA_SITES: { readonly [name: string]: Site } = {
  'Oceanus Procellarum': [-52, 14, 0.27, 0.5, 0.8],
  'Mare Imbrium': [-16, 34, 0.38, 0.33, 1],
  'Mare Serenitatis': [18, 28, 0.23, 0.22, 1],
  'Mare Tranquillitatis': [31, 8, 0.29, 0.24, 1],
  'Mare Crisium': [59, 17, 0.11, 0.15, 1],
  'Mare Fecunditatis': [51, -6, 0.16, 0.28, 0.8],
  'Mare Nectaris': [35, -15, 0.13, 0.13, 0.8],
  'Mare Nubium': [-17, -20, 0.26, 0.22, 0.8],
  'Mare Cognitum': [-25, -8, 0.24, 0.2, 0.7],
  'Mare Humorum': [-39, -24, 0.14, 0.15, 0.9],
  'Mare Vaporum': [4, 13, 0.14, 0.11, 0.6],
  'Mare Frigoris': [-2, 58, 0.46, 0.07, 0.5],
}

const CRATER_SITES: { readonly [name: string]: Site } = {
  Tycho: [-11, -43, 0.16, 0.15, 0.9],
  Copernicus: [-20, 10, 0.1, 0.1, 1],
  Kepler: [-38, 8, 0.07, 0.07, 1],
  Aristarchus: [-47, 24, 0.05, 0.06, 1],
}

/** The dark plains that make the disc look like the Moon. */
export const SEAS: readonly Patch[] = Object.values(SEA_SITES).map(patch)

/** Young craters, brighter than the ground around them. */
export const CRATERS: readonly Patch[] = Object.values(CRATER_SITES).map(patch)

function patch([longitude, latitude, width, height, strength]: Site): Patch {
  const x = Math.cos(radians(latitude)) * Math.sin(radians(longitude))
  return { x, y: Math.sin(radians(latitude)), width, height, strength }
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

import { join } from 'node:path'
import { ROOT } from '../outside.mjs'

/** Where a copy of the project is changed and tried. */
export const HOME = join(ROOT, '.cache', 'mutants')
export const TREE = join(HOME, 'tree')
/** What the copy is told, and what it tells. */
export const STATE = join(HOME, 'state')

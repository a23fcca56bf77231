import type { JsonObject } from '../../src/kernel/index.ts'

export const TYPES: JsonObject

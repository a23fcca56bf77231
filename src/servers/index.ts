import { ccmcp } from './ccmcp.ts'
import type { ReadyServer } from './ready-server.ts'

export const SERVERS: readonly ReadyServer[] = [ccmcp]

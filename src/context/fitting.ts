import type { FittingFor } from '../kernel/index.ts'
import { fitterFor } from './fit/fit-tool.ts'

/** The hosts of the table, so that it is read only for one of them. */
const IN_THE_TABLE = /^(claude-code$|visual studio code|codex-mcp-client|gemini-cli|opencode)/i

/** How tools are listed to a host that does not take every schema; undefined for any other. */
export const fittingFor: FittingFor = (info) =>
  typeof info?.name === 'string' && IN_THE_TABLE.test(info.name) ? fitterFor(info) : undefined

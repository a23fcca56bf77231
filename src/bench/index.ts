/** The load generator, for the command and for the project's own benchmark. */
export { HttpClient } from './http-client.ts'
export { measure, pause, warmUp } from './load.ts'
export { callTool } from './messages.ts'
export { readMemory } from './process-stats.ts'
export { ProgressLine } from './progress.ts'
export { median, printNumber } from './statistics.ts'
export { StdioClient } from './stdio-client.ts'
export { printTable } from './table.ts'

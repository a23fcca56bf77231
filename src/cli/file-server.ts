import type { ReadyServer } from '../servers/ready-server.ts'
import { loadServerFile, nameOfFile } from './server-file.ts'

/** A server in a file of somebody's own, to be served like one of ours. */
export function fileServer(file: string): ReadyServer {
  return {
    name: nameOfFile(file),
    summary: `the server in ${file}`,
    transport: 'stdio',
    logLevel: 'error',
    settings: {},
    http: {},
    command: `perigee serve ${file}`,
    create: ({ modules, budgets }) => loadServerFile(file, { modules, budgets }),
  }
}

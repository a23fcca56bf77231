import { serveStdio } from '../../src/index.ts'
import { SERVERS, type ServerName } from './server.ts'

const [, , name = '', root = ''] = process.argv

serveStdio(SERVERS[name as ServerName](root)) // The tests name none but these.

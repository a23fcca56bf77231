import { serveStdio } from '../../src/index.ts'
import { createEverything } from './everything.ts'

serveStdio(createEverything())

import { serveStdio } from '../../src/index.ts'
import { createSampleServer } from './sample-server.ts'

serveStdio(createSampleServer())

import { serveStdio } from '../../src/index.ts'
import { createSample } from './client-sample.ts'

serveStdio(createSample())

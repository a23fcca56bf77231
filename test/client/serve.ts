import { serveStdio } from '../../src/index.ts'
import { createSample } from './sample.ts'

serveStdio(createSample())

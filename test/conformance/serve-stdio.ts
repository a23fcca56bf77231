import { serveStdio } from '../../src/index.ts'
import { createFixture } from './fixture.ts'

serveStdio(createFixture())

import { serveStdio } from '../../src/index.ts'
import { createContractServer } from '../../src/testing/index.ts'

// What is under way when the client leaves does not end by itself.
serveStdio(createContractServer().server, { finishMs: 100, stopMs: 100 })

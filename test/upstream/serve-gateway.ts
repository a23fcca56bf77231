import { defineServer, serveStdio } from '../../src/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'

const [command = '', ...args] = process.argv.slice(2)

serveStdio(defineServer({ name: 'gateway', version: '1', modules: [upstream('behind', { command, args })] }))

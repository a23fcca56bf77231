import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Starts the server on the streams it was given itself, and stays. */
spawn(process.execPath, [join(import.meta.dirname, 'stdio-server.mjs')], { stdio: 'inherit' })
setInterval(() => {}, 1000)

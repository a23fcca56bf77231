// A server whose one tool takes longer than one likes to wait without a word.
import { defineServer, serveStdio } from '../../dist/index.js'

const run = () => new Promise((resolve) => setTimeout(resolve, 1500, 'done'))
serveStdio(defineServer({ name: 'slow', version: '1', tools: [{ name: 'slow', run }] }))

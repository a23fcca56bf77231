// A server with a module that never closes, and one before it; closes itself once it listens.
import { defineServer, serveHttp } from '../../dist/index.js'

const server = defineServer({
  name: 's',
  version: '1',
  modules: [
    { name: 'first', close: () => console.log('first closed') },
    { name: 'hangs', close: () => new Promise(() => {}) },
  ],
})
const { close } = await serveHttp(server, { supervise: false })
await close()
console.log('closed')

import { openStore, serveHttp } from '../../src/index.ts'
import { createFixture } from './fixture.ts'

// One of several nodes is told what it shares with the others, and the names by which their balancer is reached.
const { PERIGEE_STORE: store, PERIGEE_SECRET: secret, PERIGEE_ALLOW_HOST: hosts } = process.env
const shared =
  store === undefined || secret === undefined ? {} : { store: openStore(store), secrets: [secret] }
const allowedHosts = hosts?.split(',') ?? []
const { url } = await serveHttp(createFixture(shared), {
  port: Number(process.argv[2] ?? 0),
  allowedHosts,
  allowedOrigins: allowedHosts.map((host) => `http://${host}`),
})
process.stdout.write(`${url}\n`)

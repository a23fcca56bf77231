import { serveHttp } from '../../src/index.ts'
import { createFixture } from './fixture.ts'

const { url } = await serveHttp(createFixture(), { port: Number(process.argv[2] ?? 0) })
process.stdout.write(`${url}\n`)

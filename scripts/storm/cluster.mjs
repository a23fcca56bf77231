import { startHttpBalancer } from './http-balancer.mjs'
import { startNodes } from './nodes.mjs'

const SECRET = 'a secret that all nodes behind a balancer share'

/**
 * Nodes that share an engine, behind a balancer that gives each request to the next of them: `{ url, stop }`.
 * A node is started with `argsOf({ port, host })` and `env({ host })`; `host` is what clients call the balancer.
 */
export async function startCluster({ count, program, argsOf, env }) {
  const nodes = []
  const balancer = await startHttpBalancer(nodes)
  const host = `127.0.0.1:${balancer.port}`
  const command = ({ port }) => ({
    program,
    args: argsOf({ port, host }),
    env: { PERIGEE_SECRET: SECRET, ...env({ host }) },
  })
  const stop = async () => {
    balancer.stop()
    await Promise.all(nodes.map((node) => node.kill()))
  }
  try {
    nodes.push(...(await startNodes(count, command)))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://${host}/mcp`, stop }
}

/** Loaded before a server whose memory is measured: collects the garbage, and tells what is left. */
process.on('message', async () => {
  for (let round = 0; round < 3; round++) {
    globalThis.gc()
    await new Promise(setImmediate)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send({ rss, kept: heapUsed + external })
})
process.channel.unref()

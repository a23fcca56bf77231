/** Starts an engine, says where it is, and stops it on Ctrl-C. */
export async function runAlone(start) {
  const { url, stop } = await start()
  console.log(url)
  const clock = setInterval(() => {}, 60_000)
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      clearInterval(clock)
      void stop()
    })
  }
}

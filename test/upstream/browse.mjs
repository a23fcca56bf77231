/** What a person does in a browser: opens an address, agrees, and comes back. */
export async function browse(url) {
  const cookies = new Map()
  let at = url
  for (;;) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [name, value] = set.split(';')[0].split('=')
      cookies.set(name, value)
    }
    const to = response.headers.get('location')
    if (to === null) return { at, status: response.status, text: await response.text() }
    at = new URL(to, at).href
  }
}

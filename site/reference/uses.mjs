// Which exports a type is seen at work in: those with an example whose declarations lead to it, by the shortest way.

/** Gives a function from the key of a declaration to the exports with an example that are nearest to it. */
export function createUses(read, exports) {
  const edges = new Map()
  const nearest = new Map()

  const leadsTo = (key) => {
    if (!edges.has(key)) edges.set(key, keysIn(read, key))
    return edges.get(key)
  }

  for (const one of exports.filter(({ examples }) => examples.length > 0)) {
    let step = new Set([one.key])
    const seen = new Set(step)
    for (let distance = 0; step.size > 0; distance++) {
      for (const key of step) note(nearest, key, { one, distance })
      step = new Set([...step].flatMap(leadsTo).filter((key) => !seen.has(key)))
      for (const key of step) seen.add(key)
    }
  }
  return (key) => nearest.get(key)?.users ?? []
}

function note(nearest, key, { one, distance }) {
  const best = nearest.get(key)
  if (best === undefined || distance < best.distance) nearest.set(key, { distance, users: [one] })
  else if (distance === best.distance) best.users.push(one)
}

/** The declarations that are named in a declaration. */
function keysIn(read, key) {
  const [file, name] = key.split('#')
  const { declared } = read(file)
  const text = (declared.get(name)?.parts ?? [])
    .map((part) => part.text.replaceAll(/\/\*[\s\S]*?\*\//g, ''))
    .join('\n')
  const names = new Set(text.match(/[A-Za-z_$][\w$]*/g))
  return [...names].flatMap((one) => keyOf(read, file, declared.has(one) ? one : undefined) ?? [])
}

/** The file and the name under which something is declared. */
export function keyOf(read, file, name) {
  if (name === undefined) return undefined
  const { declared, exported } = read(file)
  const to = declared.get(name) ?? exported.get(name)
  if (to?.parts !== undefined) return `${file}#${name}`
  if (to?.from !== undefined) return keyOf(read, to.from, to.name)
  return to?.local === undefined ? undefined : keyOf(read, file, to.local)
}

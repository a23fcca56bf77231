import { Refusal } from './refusal.mjs'

const STEPS = {
  major: ([major]) => [major + 1, 0, 0],
  minor: ([major, minor]) => [major, minor + 1, 0],
  patch: ([major, minor, patch]) => [major, minor, patch + 1],
}

/** The version that is meant by `patch`, `minor`, `major` or a version itself. */
export function nextVersion(current, asked) {
  const step = Object.hasOwn(STEPS, asked) ? STEPS[asked] : undefined
  if (step !== undefined) return step(parse(current)).join('.')
  if (!/^\d+\.\d+\.\d+$/.test(asked)) {
    throw new Refusal(`expected patch, minor, major or a version such as 1.2.3, got ${JSON.stringify(asked)}`)
  }
  // What has never been released may be released as it is called already.
  if (compare(parse(asked), parse(current)) < 0) {
    throw new Refusal(`${asked} comes before ${current}, which package.json has: expected a later version`)
  }
  return asked
}

const parse = (version) => version.split('.').map(Number)

const compare = (one, other) => one.map((part, place) => part - other[place]).find((more) => more !== 0) ?? 0

import { Refusal } from './refusal.mjs'

const TITLE = '## Unreleased'

/** The changelog in which what was unreleased has a version and a day. */
export function releasedChangelog(text, version, day) {
  if (text.includes(`\n## ${version} `)) {
    throw new Refusal(
      `CHANGELOG.md has a section ${version} already: it was released, or its title is a mistake`,
    )
  }
  const [before, after] = text.split(`${TITLE}\n`)
  if (after === undefined) throw new Refusal(`CHANGELOG.md has no section "${TITLE}"`)
  const [changes = ''] = after.split(/^## /m)
  if (!/^- \S/m.test(changes)) {
    throw new Refusal(`"${TITLE}" in CHANGELOG.md is empty: say there what a user can see of this release`)
  }
  return `${before}${TITLE}\n\n## ${version} (${day})\n${after}`
}

// llms.txt: every page that stands in the navigation, as Markdown, with a sentence on each.

export function writeOverview(pages) {
  const [home] = pages
  const parts = new Map()
  for (const page of pages.filter(({ listed }) => listed)) {
    parts.set(page.part, [...(parts.get(page.part) ?? []), page])
  }
  const lists = [...parts].map(([part, all]) => `## ${part}\n\n${all.map(line).join('\n')}`)
  return [`# ${home.title}`, `> ${home.summary}`, ...lists].join('\n\n').concat('\n')
}

function line({ title, plain, summary }) {
  return `- [${title}](${plain})${summary === '' ? '' : `: ${summary}`}`
}

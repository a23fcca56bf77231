import type { Task } from './task.ts'

const MAX_LENGTH = 200

/** Markdown, a heading for each list. */
export function printSections(sections: { readonly [heading: string]: readonly Task[] }): string {
  return Object.entries(sections)
    .map(([heading, tasks]) => `## ${heading}\n${tasks.map(printLine).join('\n') || 'Nothing.'}`)
    .join('\n\n')
}

function printLine({ id, description, priority, due, tags }: Task): string {
  const notes = [
    priority === 'normal' ? [] : [`priority ${priority}`],
    due === null ? [] : [`due ${due}`],
    tags.length === 0 ? [] : [`tags ${tags.join(', ')}`],
  ].flat()
  return `- ${shorten(description)} (${[id, ...notes].join('; ')})`
}

/** A task is a line, however long its description. */
function shorten(description: string): string {
  const line = description.replace(/\s+/g, ' ')
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line
}

import type { Task } from './task.ts'

/** How many tasks a task may wait for by way of others, so that looking for a circle ends. */
export const MAX_REACH = 1000

/** What a task is linked to, by what links it. */
export const LINKS = {
  blockedBy: { word: 'blocked_by', of: ({ blockedBy = [] }: Task) => blockedBy },
  parent: { word: 'parent', of: ({ parent }: Task) => (parent === undefined ? [] : [parent]) },
} as const

export type TaskLink = keyof typeof LINKS

/** The links of a task that are not as they were. */
export function changedLinks(before: Task | undefined, after: Task): readonly TaskLink[] {
  return (Object.keys(LINKS) as TaskLink[]).filter((link) => {
    const { of } = LINKS[link]
    const now = of(after)
    return now.length > 0 && (before === undefined || of(before).join() !== now.join())
  })
}

export function missingText(link: TaskLink, id: string): string {
  return `${LINKS[link].word}: expected ids of tasks that are there, got ${id}`
}

/** What is wrong with following a link for so many tasks, and coming back to the first; undefined when nothing is. */
export function wrongReach(
  link: TaskLink,
  task: Task,
  reach: { readonly count: number; readonly circle: boolean },
) {
  const { word, of } = LINKS[link]
  if (reach.circle)
    return `${word}: expected no circle, and ${of(task).join(', ')} would come back to ${task.id}`
  return reach.count > MAX_REACH
    ? `${word}: expected at most ${MAX_REACH} tasks in a row, got more`
    : undefined
}

/** Follows a link from a task, as far as it leads. */
export function follow(link: TaskLink, task: Task, find: (id: string) => Task | undefined) {
  const { of } = LINKS[link]
  const seen = new Set(of(task))
  for (const id of seen) {
    if (seen.size > MAX_REACH) break
    const next = find(id)
    for (const one of next === undefined ? [] : of(next)) seen.add(one)
  }
  return { count: seen.size, circle: seen.has(task.id) }
}

import { resolve } from 'node:path'
import { defineModule, type Module } from '../../authoring/define.ts'
import { skillsExtension } from './extension.ts'
import { Library } from './library.ts'
import { fileTemplate, listing } from './resources.ts'

/** Where the skills are, and who hears what is wrong with them. */
export interface SkillsOptions {
  /** A folder in which, at any depth, every folder with a SKILL.md is a skill. */
  readonly root: string
  /** Told, once, what is left out and why; by default nobody is. */
  report?(message: string): void
}

/**
 * A folder of skills, read anew whenever a client asks; what cannot be served is left out and reported.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [skills({ root: './skills', report: console.error })] })
 */
export function skills({ root, report = () => undefined }: SkillsOptions): Module {
  // An empty path would quietly mean the working directory.
  if (root === '') throw new TypeError('skills: root must name a directory')
  const library = new Library(resolve(root), report)
  return defineModule({
    name: 'skills',
    resources: [],
    templates: [fileTemplate(library)],
    ...listing(library),
    extensions: [skillsExtension(library)],
  })
}

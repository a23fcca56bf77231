import { join } from 'node:path'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { Server } from '../../src/kernel/index.ts'
import { skills } from '../../src/modules/skills/index.ts'
import { createEverything } from '../everything/everything.ts'
import { longWork } from '../everything/long-work.ts'

/** The servers that together answer every method there is. */
export const SERVERS = {
  /** What the transcripts are about, and tools that can become tasks. */
  sample: () => createEverything([longWork]),
  skills: (root: string) => defineServer({ name: 'skills', version: '1.0.0', modules: [skills({ root })] }),
} satisfies { [name: string]: (root: string) => Server }

export type ServerName = keyof typeof SERVERS

export const SKILLS = join(import.meta.dirname, '..', 'conformance', 'skills')

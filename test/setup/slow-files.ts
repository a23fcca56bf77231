import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { SlowMotion } from './slow-motion.ts'

const SLOW = ['lstat', 'mkdir', 'open', 'opendir', 'readFile', 'readlink', 'rename', 'rm', 'stat'] as const

/** Has the file system take its time, and whoever waits by the clock be told of, until the test is over. */
export function slowFiles(): SlowMotion {
  const motion = new SlowMotion()
  const { open, opendir } = files
  files.open = async (...args) => {
    const file = await open(...args)
    motion.slow(file, ['close', 'writeFile'])
    return file
  }
  files.opendir = async (...args) => {
    const folder = await opendir(...args)
    motion.slow(folder, ['close', 'read'])
    return folder
  }
  motion.slow(files, [...SLOW, 'writeFile']).slow(timers, ['setTimeout'])
  syncBuiltinESMExports()
  onTestFinished(() => {
    motion.end()
    Object.assign(files, { open, opendir })
    syncBuiltinESMExports()
  })
  return motion
}

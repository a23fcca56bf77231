import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Tests that start a process start what users start, so it is built first, unless that has just been done. */
export default function build(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.mjs')], { stdio: 'inherit' })
}

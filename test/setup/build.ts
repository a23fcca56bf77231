import { execFileSync } from 'node:child_process'

/** Tests that start a process start what users start, so it is built first. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
}

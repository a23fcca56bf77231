import { execFileSync, spawnSync } from 'node:child_process'
import { Refusal } from './refusal.mjs'

const git = (folder, ...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trimEnd()

/** The commit that is released; refuses what is not committed, and another branch. */
export function releasedCommit(folder, branch) {
  refuseOutside(folder)
  const changed = git(folder, 'status', '--porcelain').split('\n').filter(Boolean)
  if (changed.length > 0) {
    const shown = changed.slice(0, 5).join('\n')
    const more = changed.length > 5 ? `\n… and ${changed.length - 5} more` : ''
    throw new Refusal(`the tree is not clean: commit or stash this first\n${shown}${more}`)
  }
  const current = git(folder, 'branch', '--show-current')
  if (current !== branch) {
    const where = current === '' ? 'no branch' : `the branch ${current}`
    throw new Refusal(
      `this is ${where}: releases are made on ${branch} (or say --branch ${current || 'NAME'})`,
    )
  }
  return git(folder, 'rev-parse', 'HEAD')
}

/** A folder that was unpacked, not cloned, may lie in the repository of something else. */
function refuseOutside(folder) {
  const { status, error, stdout } = spawnSync('git', ['rev-parse', '--show-cdup'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (error !== undefined) throw new Refusal(`git cannot be started: ${error.message}`)
  if (status === 0 && stdout.trim() === '') return
  throw new Refusal(`${folder} is no git repository: releases are made of what is committed, in a clone`)
}

/** A tag is for ever. */
export function checkTag(folder, tag) {
  if (git(folder, 'tag', '--list', tag) !== '') throw new Refusal(`there is a tag ${tag} already`)
}

/** What is committed, and nothing else, in another folder. */
export function unpackCommit(folder, commit, into) {
  const archive = execFileSync('git', ['archive', '--format=tar', commit], {
    cwd: folder,
    maxBuffer: 1 << 30,
  })
  execFileSync('tar', ['-x', '-C', into], { input: archive })
}

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { VERSION } from '../../kernel/index.ts'
import { runsTypeScript } from '../../process/import-file.ts'
import { packageFolder } from '../../process/package-folder.ts'
import { dependencyOn } from './origin.ts'

/** What the project of the template is called, in every one of its files. */
export const TEMPLATE_NAME = 'my-server'
export const TEMPLATE_DESCRIPTION = 'An MCP server'

export interface ProjectFile {
  /** In the project, with the separators of this machine. */
  readonly path: string
  readonly text: string
}

/** The files of a project of that name. */
export function fillTemplate(name: string, description: string): readonly ProjectFile[] {
  const folder = join(packageFolder(), 'templates', 'project')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return paths.sort().map((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
      .replaceAll(TEMPLATE_NAME, name)
      .replace(new RegExp(`^${TEMPLATE_DESCRIPTION}$`, 'm'), () => description)
    const target = RENAMED[path] ?? path
    return { path: target, text: target === 'package.json' ? fillManifest(text, description) : text }
  })
}

/** Under their own names npm would leave one out, and take the other for the package that the template is in. */
const RENAMED: { readonly [path: string]: string } = {
  _gitignore: '.gitignore',
  '_package.json': 'package.json',
}

interface Manifest {
  readonly dependencies: { readonly perigee: string }
  readonly devDependencies: { readonly [name: string]: string }
}

function fillManifest(text: string, description: string): string {
  const manifest: Manifest = JSON.parse(text)
  const { jiti, ...others } = manifest.devDependencies
  const filled = {
    ...manifest,
    description,
    dependencies: { perigee: dependencyOn(packageFolder(), VERSION) },
    // A Node that reads TypeScript by itself needs no jiti for `perigee dev`.
    devDependencies: runsTypeScript() ? others : manifest.devDependencies,
  }
  return `${JSON.stringify(filled, undefined, 2)}\n`
}

/** A path as people write it. */
export function printPath(path: string): string {
  return path.replaceAll(sep, '/')
}

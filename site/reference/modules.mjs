// One file of declarations: what it declares, with the comments above, and what it exports.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Gives a function that reads a file of declarations, once. */
export function createModuleReader() {
  const modules = new Map()
  return (file) => {
    if (!modules.has(file)) modules.set(file, readModule(file))
    return modules.get(file)
  }
}

function readModule(file) {
  const text = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, text)
  const module = { file, text, declared: new Map(), exported: new Map(), stars: [] }
  for (const statement of program.body) TAKE[statement.type]?.({ module, comments }, statement)
  return module
}

/** What each kind of statement adds to a module. */
const TAKE = {
  ImportDeclaration({ module }, { source, specifiers, importKind }) {
    for (const { local, imported, importKind: kind } of specifiers) {
      const isType = importKind === 'type' || kind === 'type'
      if (imported !== undefined)
        module.declared.set(local.name, { ...elsewhere(module, source, imported.name), isType })
    }
  },
  ExportNamedDeclaration({ module, comments }, statement) {
    const { declaration, source, specifiers, exportKind } = statement
    if (declaration !== null) {
      for (const name of namesOf(declaration)) module.exported.set(name, { local: name, isType: false })
      declare({ module, comments }, statement, declaration)
    }
    for (const { local, exported, exportKind: kind } of specifiers) {
      const from = source === null ? { local: local.name } : elsewhere(module, source, local.name)
      const isType = kind === 'type' || (exportKind === 'type' && declaration === null)
      module.exported.set(exported.name, { ...from, isType })
    }
  },
  ExportAllDeclaration({ module }, { source, exportKind }) {
    module.stars.push({ from: fileOf(module, source), isType: exportKind === 'type' })
  },
  TSDeclareFunction: declareItself,
  ClassDeclaration: declareItself,
  TSInterfaceDeclaration: declareItself,
  TSTypeAliasDeclaration: declareItself,
  VariableDeclaration: declareItself,
}

function declareItself(context, statement) {
  declare(context, statement, statement)
}

/** A function with several signatures is one declaration of several texts. */
function declare({ module, comments }, statement, declaration) {
  const one = {
    kind: KINDS[declaration.type],
    text: module.text.slice(declaration.start, statement.end),
    comment: commentAbove(module.text, comments, statement.start),
  }
  for (const name of namesOf(declaration)) {
    const before = module.declared.get(name)?.parts ?? []
    module.declared.set(name, { parts: [...before, one] })
  }
}

const KINDS = {
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'value',
  TSInterfaceDeclaration: 'type',
  TSTypeAliasDeclaration: 'type',
}

function namesOf(declaration) {
  return declaration.declarations?.map(({ id }) => id.name) ?? [declaration.id.name]
}

function elsewhere(module, source, name) {
  return source.value.startsWith('.')
    ? { from: fileOf(module, source), name }
    : { foreign: source.value, name }
}

function fileOf(module, source) {
  return join(dirname(module.file), source.value.replace(/\.ts$/, '.d.ts'))
}

function commentAbove(text, comments, start) {
  const above = comments.findLast(({ end }) => end <= start)
  const isNear = above?.value.startsWith('*') && text.slice(above.end, start).trim() === ''
  return isNear ? above.value.replaceAll(/^ *\*+ ?/gm, '').trim() : undefined
}

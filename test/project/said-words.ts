import type { ESTree } from 'vite'

export type SyntaxNode = ESTree.Node

/** Visits a tree from the top, with the functions that a node stands in. */
export function walk(
  node: unknown,
  visit: (node: SyntaxNode, within: readonly SyntaxNode[]) => void,
  within: readonly SyntaxNode[] = [],
): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit, within)
  if (node === null || typeof node !== 'object' || !('type' in node)) return
  const here = node as SyntaxNode
  visit(here, within)
  const inside = 'params' in here ? [here, ...within] : within
  for (const part of Object.values(node)) walk(part, visit, inside)
}

/** A name, where it is known, and what it can stand for there. */
interface Known {
  readonly name: string
  readonly within: SyntaxNode
  readonly values: SyntaxNode[]
}

/** What a program says in a place, as far as it can be read off: what is filled in is `…`. */
export class SaidWords {
  readonly #known: Known[] = []

  constructor(program: SyntaxNode) {
    const functions = new Map<string, readonly Known[]>()
    walk(program, (node, [within = program]) => {
      const { name, made } = definitionIn(node)
      if (name === undefined || made === undefined) return
      this.#known.push({ name, within, values: [made] })
      if ('params' in made && Array.isArray(made.params)) functions.set(name, made.params.map(asKnown(made)))
    })
    for (const parameters of functions.values()) this.#known.push(...parameters)
    walk(program, (node) => {
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return
      for (const [place, { values }] of (functions.get(node.callee.name) ?? []).entries()) {
        const given = node.arguments[place]
        if (given !== undefined) values.push(given)
      }
    })
  }

  /** Every sentence that the expression may be. */
  read(node: SyntaxNode | undefined, depth = 6): readonly string[] {
    if (node === undefined || depth === 0) return ['…']
    if (node.type === 'Literal') return [String(node.value)]
    if (node.type === 'ConditionalExpression')
      return [...this.read(node.consequent, depth), ...this.read(node.alternate, depth)]
    if (node.type === 'TemplateLiteral') return this.#readTemplate(node, depth)
    if (node.type !== 'Identifier') return ['…']
    const meant = this.#find(node)?.values ?? []
    return meant.length === 0 ? ['…'] : meant.flatMap((one) => this.read(one, depth - 1))
  }

  /** What a name stands for is said as near to it as can be. */
  #find({ name, start }: ESTree.Node & { readonly name: string }): Known | undefined {
    const here = this.#known.filter(
      (one) => one.name === name && one.within.start <= start && start <= one.within.end,
    )
    return here.toSorted((one, other) => other.within.start - one.within.start)[0]
  }

  #readTemplate({ quasis, expressions }: ESTree.TemplateLiteral, depth: number): readonly string[] {
    return quasis.reduce<readonly string[]>(
      (said, { value }, place) => {
        const between = place === 0 ? [''] : this.read(expressions[place - 1], depth - 1)
        return said.flatMap((text) => between.map((one) => `${text}${one}${value.cooked}`))
      },
      [''],
    )
  }
}

interface Definition {
  readonly name?: string
  readonly made?: SyntaxNode
}

function definitionIn(node: SyntaxNode): Definition {
  if (node.type === 'FunctionDeclaration' && node.id !== null) return { name: node.id.name, made: node }
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || node.init === null) return {}
  return { name: node.id.name, made: node.init }
}

const asKnown =
  (within: SyntaxNode) =>
  (parameter: SyntaxNode): Known => ({
    name: parameter.type === 'Identifier' ? parameter.name : '',
    within,
    values: [],
  })

/** One declaration, of which a function with several signatures has several. */
export interface DeclarationPart {
  readonly kind: 'function' | 'class' | 'value' | 'type'
  readonly text: string
  readonly comment: string | undefined
}

export interface DeclaredModule {
  readonly file: string
  readonly declared: ReadonlyMap<string, { readonly parts?: readonly DeclarationPart[] }>
}

export type ReadModule = (file: string) => DeclaredModule

export function createModuleReader(): ReadModule

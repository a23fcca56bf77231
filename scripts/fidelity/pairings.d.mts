export interface Pairing {
  readonly name: string
  readonly client: string
  readonly upstream?: { readonly revision: string; readonly transport: string } | undefined
}

export function pairings(chosen: { readonly short: boolean; readonly only: string }): readonly Pairing[]

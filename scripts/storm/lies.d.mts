export const lies: readonly string[]
export function hearLie(name: string): Promise<{ outcome: string; wrongs: string[] }>

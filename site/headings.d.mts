import type { Token } from 'marked'

export function createAnchors(): (text: string) => string
export function plainText(tokens: readonly Token[]): string

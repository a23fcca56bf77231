import type { SettingsFormat } from './format.ts'

export type FormatName = 'json' | 'toml' | 'yaml' | 'bash'

/** Each is loaded when a host of that format is at hand. */
export const FORMATS: { readonly [Name in FormatName]: () => Promise<SettingsFormat> } = {
  json: async () => (await import('./jsonc.ts')).jsonc,
  toml: async () => (await import('./toml.ts')).toml,
  yaml: async () => (await import('./yaml.ts')).yaml,
  bash: async () => (await import('./bash.ts')).bash,
}

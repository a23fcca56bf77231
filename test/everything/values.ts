/** What everything may carry, so that nothing is left out by chance. */
export const ICON = {
  src: 'https://example.com/icon.png',
  mimeType: 'image/png',
  sizes: ['48x48'],
  theme: 'light',
} as const
export const ANNOTATIONS = {
  audience: ['user'],
  priority: 0.5,
  lastModified: '2026-01-02T03:04:05Z',
} as const
export const META = { 'example.com/key': { any: ['thing'] } }
export const PIXEL = 'iVBORw0KGgo='
export const SOUND = 'UklGRg=='

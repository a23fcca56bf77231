import type { Carrier } from '../../kernel/index.ts'

/** How messages come here, for whoever watches. */
export const HTTP: Carrier = { transport: 'tcp', protocol: 'http' }

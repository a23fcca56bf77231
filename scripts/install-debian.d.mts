/** Installs one of Debian's packages, which root alone can; anybody else gets an Error that says `otherwise`. */
export function installDebian(name: string, otherwise: string): Promise<void>

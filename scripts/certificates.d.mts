export function makeCertificates(folder: string): Promise<{ ca: string; key: string; cert: string }>

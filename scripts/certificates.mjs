/** An authority of our own, and a certificate of it for 127.0.0.1 and localhost. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Writes PEM files into a folder; gives their paths. Throws an Error where there is no openssl. */
export async function makeCertificates(folder) {
  const file = (name) => join(folder, name)
  const [authority, ca, key, cert] = ['ca.key', 'ca.crt', 'server.key', 'server.crt'].map(file)
  await openssl('req', '-x509', ...NEW_KEY, '-keyout', authority, '-out', ca, '-subj', '/CN=authority')
  await openssl('req', ...NEW_KEY, '-keyout', key, '-out', file('server.csr'), '-subj', '/CN=localhost')
  writeFileSync(file('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1')
  const signed = ['-CA', ca, '-CAkey', authority, '-CAcreateserial', '-extfile', file('names')]
  await openssl('x509', '-req', '-in', file('server.csr'), ...signed, '-out', cert)
  return { ca, key, cert }
}

async function openssl(...args) {
  try {
    await run('openssl', args)
  } catch (error) {
    throw new Error(`no certificates: ${error.message}`, { cause: error })
  }
}

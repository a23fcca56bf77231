import type { ClientConfig } from 'pg'
import { DatabaseError } from './database.ts'

const CONNECT_MS = 5000

/** How every connection of ours is made. */
export function configOf(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'perigee',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  }
}

/** Loaded when it is first needed; it is the user's to install. */
export async function loadPg(): Promise<typeof import('pg')['default']> {
  try {
    return (await import('pg')).default
  } catch (error) {
    throw new DatabaseError('PostgreSQL needs the package pg: npm install pg', { cause: error })
  }
}

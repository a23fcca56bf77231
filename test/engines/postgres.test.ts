import { startPostgres } from '../../scripts/postgres.mjs'
import { startEngine } from './engine.ts'
import { describeAbsence, describeContract } from './store.ts'

const engineOr = await startEngine('PostgreSQL', startPostgres)

describeContract('PostgreSQL', engineOr)
describeAbsence('PostgreSQL', engineOr)

/** What the command `bossman` runs. */
import { serve } from '../../dist/cli/commands/serve.js'
import { bossman } from '../../dist/servers/bossman.js'

await serve(bossman, process.argv.slice(2))

// For hosts, which start a command and speak to it: leads from stdin to the port, and back.
import { connect } from 'node:net'

const socket = connect(Number(process.argv[2]), '127.0.0.1')
process.stdin.pipe(socket).pipe(process.stdout)

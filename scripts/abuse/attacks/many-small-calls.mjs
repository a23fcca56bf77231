import { keepBusy, SMALL } from '../kit/busy.mjs'

export default keepBusy('many small calls', 'fixture', SMALL)

import { keepBusy, SMALL } from '../kit/busy.mjs'

export default keepBusy('the same to a bare server (small)', 'bare', SMALL)

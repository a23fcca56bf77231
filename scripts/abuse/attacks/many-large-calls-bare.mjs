import { keepBusy, LARGE } from '../kit/busy.mjs'

export default keepBusy('the same to a bare server (large)', 'bare', LARGE)

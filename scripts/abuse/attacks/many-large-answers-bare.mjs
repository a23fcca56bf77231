import { keepBusy, LARGE_ANSWERS } from '../kit/busy.mjs'

/** What others wait beside a bare server that gives as much. */
export default keepBusy('the same to a bare server (large answers)', 'bare', LARGE_ANSWERS)

import { keepBusy, LARGE } from '../kit/busy.mjs'

export default keepBusy('many large calls', 'fixture', LARGE)

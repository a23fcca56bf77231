import { keepBusy, LARGE_ANSWERS } from '../kit/busy.mjs'

/** Answers of a megabyte, eight at once. */
export default keepBusy('many large answers', 'fixture', LARGE_ANSWERS)

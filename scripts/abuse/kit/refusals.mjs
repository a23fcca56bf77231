/** What an answer says went wrong: an error's words, or a tool's; undefined when it went well. */
export function refusalOf(answer) {
  const { message } = answer ?? {}
  if (message?.error !== undefined) return message.error.message
  if (message?.result?.isError === true) return message.result.content?.[0]?.text
  return undefined
}

/** The different refusals among answers. */
export function refusalsOf(answers) {
  return [...new Set(answers.map(refusalOf).filter((text) => text !== undefined))]
}

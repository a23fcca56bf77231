import { defineModule, definePrompt, type Module } from '../../authoring/define.ts'

const greet = definePrompt({
  name: 'greet',
  description: 'Greet somebody',
  arguments: [{ name: 'name', description: 'Who to greet', required: true }],
  scopes: ['writing'],
  render: ({ name }) => `Please greet ${name} warmly`,
})

const summarize = definePrompt({
  name: 'summarize',
  description: 'Summarize a text',
  arguments: [{ name: 'text', description: 'Text to summarize', required: true }],
  scopes: ['writing'],
  render: ({ text }) => `Please summarize the following text:\n${text}`,
})

const codeReview = definePrompt({
  name: 'code_review',
  description: 'Review code quality',
  arguments: [
    { name: 'code', description: 'Code to review', required: true },
    { name: 'language', description: 'Programming language of the code', required: false },
  ],
  scopes: ['writing'],
  render: ({ code, language }) => ({
    description: 'Code review prompt',
    messages: [
      {
        role: 'user',
        content: {
          type: 'text',
          text: `Please review this ${language === undefined ? '' : `${language} `}code:\n${code}`,
        },
      },
    ],
  }),
})

/**
 * Prompts for everyday writing.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [writing()] })
 */
export function writing(): Module {
  return defineModule({ name: 'writing', prompts: [greet, summarize, codeReview] })
}

import { defineServer, defineTool, elicit, Needs } from 'perigee'
import { z } from 'zod'

const order = defineTool({
  name: 'order',
  description: 'Orders a drink for the user, who is asked which',
  // Run from its start again with each answer, so nothing is done before all of them are there.
  run: (_args, call) => {
    const first = call.ask({
      drink: elicit({ message: 'What will it be?', schema: z.object({ drink: z.enum(['tea', 'coffee']) }) }),
    })
    if (first instanceof Needs) return first
    if (first.drink.action !== 'accept') return 'Maybe later.'
    const { drink } = first.drink.content

    const second = call.ask({
      milk: elicit({ message: `Milk in your ${drink}?`, schema: z.object({ milk: z.boolean() }) }),
    })
    if (second instanceof Needs) return second
    const milk = second.milk.action === 'accept' && second.milk.content.milk
    return `One ${drink} ${milk ? 'with' : 'without'} milk, coming up.`
  },
})

export default defineServer({ name: 'bar', version: '1.0.0', tools: [order] })

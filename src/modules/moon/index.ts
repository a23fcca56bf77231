import { defineModule, type Module } from '../../authoring/define.ts'
import { moonphase } from './moonphase.ts'
import { view } from './view.ts'

/** The phase of the Moon, in figures, in words and as it looks. */
export function moon(): Module {
  return defineModule({ name: 'moon', tools: [moonphase], resources: [view] })
}

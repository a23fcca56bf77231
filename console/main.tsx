import { render } from 'preact'
import { App } from './app.tsx'
import { resumeTasks } from './state/calls.ts'
import { questions } from './state/questions.ts'
import { side } from './state/selection.ts'
import { applyTheme, start, talk } from './state/session.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/form.css'
import './styles/result.css'
import './styles/traffic.css'
import './styles/board.css'
import './styles/narrow.css'

applyTheme()
start()
talk.subscribe(({ client }) => {
  if (client !== undefined) resumeTasks(client)
})
questions.subscribe((open) => {
  if (open.length > 0) side.set('middle')
})
const page = document.getElementById('page')
if (page !== null) render(<App />, page)

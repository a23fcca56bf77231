import { render } from 'preact'
import { App } from './app.tsx'
import { resumeTasks } from './state/calls.ts'
import { applyTheme, start, talk } from './state/session.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/form.css'
import './styles/result.css'
import './styles/traffic.css'
import './styles/narrow.css'

applyTheme()
start()
talk.subscribe(({ client }) => {
  if (client !== undefined) resumeTasks(client)
})
const page = document.getElementById('page')
if (page !== null) render(<App />, page)

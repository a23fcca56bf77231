import { useEffect, useState } from 'preact/hooks'
import { BoardView } from './parts/board-view.tsx'
import { ComparisonView } from './parts/comparison-view.tsx'
import { Gone, NodeView, SessionView, TaskView } from './parts/details.tsx'
import { Gate, GoneBanner, TalkBanner } from './parts/gate.tsx'
import { Help } from './parts/help.tsx'
import { History } from './parts/history.tsx'
import { Home } from './parts/home.tsx'
import { Notices } from './parts/notices.tsx'
import { PromptView } from './parts/prompt-view.tsx'
import { Questions } from './parts/questions.tsx'
import { ResourceView, TemplateView } from './parts/resource-view.tsx'
import { listenForShortcuts } from './parts/shortcuts.ts'
import { Sidebar } from './parts/sidebar.tsx'
import { ToolView } from './parts/tool-view.tsx'
import { SideSwitch, TopBar } from './parts/top-bar.tsx'
import { Traffic } from './parts/traffic.tsx'
import { UpstreamView } from './parts/upstream-view.tsx'
import { catalogue } from './state/catalogue.ts'
import { selection, side } from './state/selection.ts'
import { standing, talk } from './state/session.ts'
import { useStore } from './state/store.ts'

/** The whole page: what there is, what one does with it, what passes. */
export function App() {
  const stands = useStore(standing)
  const [helping, help] = useState(false)
  useEffect(() => listenForShortcuts(() => help(true)), [])
  const isShut = stands.phase === 'no-key' || stands.phase === 'refused'
  return (
    <>
      <TopBar help={() => help(true)} />
      <Help open={helping} close={() => help(false)} />
      {isShut ? <Gate standing={stands} /> : <Page />}
    </>
  )
}

function Page() {
  const shown = useStore(side)
  const stands = useStore(standing)
  const talks = useStore(talk)
  return (
    <div class={`page shows-${shown}`}>
      <main class="parts">
        <Sidebar />
        <div class="workspace" tabIndex={-1}>
          <GoneBanner standing={stands} />
          <TalkBanner talk={talks} />
          <Notices />
          <Questions />
          <Selected />
        </div>
        <Traffic />
      </main>
      <SideSwitch />
    </div>
  )
}

/** Each has a key, so that what was filled in for one is not shown for another. */
function Selected() {
  const { kind, key } = useStore(selection)
  const { tools, resources, templates, prompts, loaded } = useStore(catalogue)
  switch (kind) {
    case 'tool': {
      const tool = tools.find((one) => one.name === key)
      return tool === undefined ? <Missing loaded={loaded} what="Tool" /> : <ToolView key={key} tool={tool} />
    }
    case 'resource':
      return <ResourceView key={key} uri={key} resource={resources.find((one) => one.uri === key)} />
    case 'template': {
      const template = templates.find((one) => one.uriTemplate === key)
      return template === undefined ? (
        <Missing loaded={loaded} what="Template" />
      ) : (
        <TemplateView key={key} template={template} />
      )
    }
    case 'prompt': {
      const prompt = prompts.find((one) => one.name === key)
      return prompt === undefined ? (
        <Missing loaded={loaded} what="Prompt" />
      ) : (
        <PromptView key={key} prompt={prompt} />
      )
    }
    case 'task':
      return <TaskView id={key} />
    case 'session':
      return <SessionView id={key} />
    case 'node':
      return <NodeView id={key} />
    case 'upstream':
      return <UpstreamView key={key} name={key} />
    case 'board':
      return <BoardView key={key} name={key} />
    case 'comparison':
      return <ComparisonView />
    case 'history':
      return <Everything />
    default:
      return <Home />
  }
}

function Missing({ loaded, what }: { readonly loaded: boolean; readonly what: string }) {
  return loaded ? <Gone what={what} /> : <p class="quiet">Looking …</p>
}

function Everything() {
  return (
    <>
      <header class="offer-head">
        <p class="eyebrow">From this page</p>
        <h1>History of calls</h1>
      </header>
      <History />
    </>
  )
}

// The skills of a folder, and what was reported of them, for whoever is started as somebody else.
import { defineServer, serveStdio } from 'perigee'
import { skills } from 'perigee/modules/skills'

const reports = []
const shelf = skills({ root: process.argv[2], report: (message) => reports.push(message) })
const tools = [{ name: 'reports', description: 'What was left out', run: () => reports.join('\n') }]
serveStdio(defineServer({ name: 'shelf', version: '1.0.0', modules: [shelf], tools }))

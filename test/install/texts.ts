import type { FormatName } from '../../src/cli/install/formats/index.ts'

/** A file of settings as somebody may have it, by what is peculiar about it; `under` is where its servers stand. */
export type Texts = { readonly [peculiarity: string]: string }

export const TEXTS: { readonly [Name in FormatName]: (under: string) => Texts } = {
  json: (under) => ({
    plain: `{\n  "theme": "dark",\n  "${under}": {\n    "mine": { "command": "x" }\n  },\n  "last": [1, 2]\n}\n`,
    comments: `// mine\n{\n  /* about */ "theme": "dark", // why\n  "${under}": {\n    // the one\n    "mine": { "command": "x" } // keep "it" {\n    /* end */\n  }\n}\n// bye\n`,
    'no servers': `{\n    "theme": "dark" // why\n}\n`,
    'empty servers': `{ "theme": "dark", "${under}": {} }`,
    'remarks alone': `{\n  "${under}": {\n    // none yet\n  }\n}\n`,
    CRLF: `{\r\n  "theme": "dark",\r\n  "${under}": {\r\n    "mine": { "command": "x" }\r\n  }\r\n}\r\n`,
    tabs: `{\n\t"theme": "dark",\n\t"${under}": {\n\t\t"mine": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n`,
    'trailing commas': `{\n  "${under}": {\n    "mine": { "command": "x", }, // one\n  },\n  "list": [1, 2,],\n}\n`,
    'one line': `{"${under}":{"mine":{"command":"x"}},"last":"\\u00e9 \\" //"}`,
    'one line with a comma': `{"${under}": {"mine": {"command": "x"},},}`,
    'mark of its encoding': `\uFEFF{\n  "${under}": {}\n}\n`,
    nothing: '',
    'an empty object': '{}',
  }),
  toml: (under) => ({
    plain: `model = "m"\n\n[${under}.mine]\ncommand = "x"\n`,
    comments: `# mine\nmodel = "m" # why [not]\n\n# the one\n[${under}.mine] # here\ncommand = 'x' # "quoted"\n# bye\n`,
    'no servers': `model = "m"\n`,
    'other tables behind': `[${under}.mine]\ncommand = "x"\n[${under}.mine.env]\nA = "b"\n\n[[profiles]]\nname = "p"\nsince = 1979-05-27 07:32:00Z\nratio = 1_000.5\n`,
    'inline servers': `[${under}]\nmine = { command = "x", args = ["a", "b"] }\n`,
    CRLF: `model = "m"\r\n\r\n[${under}.mine]\r\ncommand = "x"\r\n`,
    tabs: `[${under}.mine]\n\tcommand = "x"\n\t[${under}.mine.env]\n\tA = "b"\n`,
    'trailing commas': `notify = [\n  "a",\n  "b", # two\n]\n[${under}.mine]\ncommand = "x"\n`,
    'long texts': `about = """\n[${under}.fake]\n\\"\\"\\" not yet \\\n   more"""\nraw = '''\n[x]'''\n`,
    'no end of line': `model = "m"`,
    nothing: '',
  }),
  yaml: (under) => ({
    plain: `GOOSE_MODEL: m\n${under}:\n  mine:\n    type: builtin\n    enabled: true\n`,
    comments: `# mine\nGOOSE_MODEL: m # why\n${under}: # all\n  # the one\n  mine:\n    type: builtin # keep\n    # end\n\n# bye\nlast: 1\n`,
    'no servers': `GOOSE_MODEL: "m"\n`,
    'empty servers': `GOOSE_MODEL: m\n${under}: {}\nlast: 1\n`,
    'no value': `${under}:   # none yet\nlast: 1\n`,
    'others behind': `${under}:\n    mine:\n        type: builtin\n        args:\n        - a\n        - b\n\nlast:\n  - 1\n`,
    'long texts': `${under}:\n  mine:\n    description: |\n      ${under}:\n        fake: 1\n    type: builtin\nlast: >\n  folded\n  text\n`,
    CRLF: `GOOSE_MODEL: m\r\n${under}:\r\n  mine:\r\n    type: builtin\r\n`,
    tabs: `GOOSE_MODEL: m\t# why\n${under}:\n  mine:\n    type: builtin\t# keep\n`,
    'trailing commas': `${under}: { mine: { type: builtin, }, }\n`,
    'no end of line': `${under}:\n  mine:\n    type: builtin`,
    nothing: '',
  }),
  bash: () => ({
    plain: `provider add ollama --type ollama\n\nmcp add mine --command x\n`,
    comments: `# mine "quote\noption debug true # why 'not\nmcp add mine \\\n  --command x # keep\n# bye\n`,
    'no servers': `option debug true\n`,
    'logic and texts': `if [[ $HOSTNAME == "b" ]]; then\n  mcp add mine --command "$(which x)"\nfi\ncat <<'END'\nmcp add fake "unclosed\nEND\nprovider add p --api-key "\${KEY:?set \\"it\\"}"\n`,
    CRLF: `option debug true\r\nmcp add mine \\\r\n  --command x\r\n`,
    tabs: `if true; then\n\tmcp add mine\t--command x\nfi\n`,
    'trailing commas': `permissions allow view,edit,\n`,
    'no end of line': `option debug true`,
    nothing: '',
  }),
}

/** What no host could read, and the line that says so. */
export const BROKEN: { readonly [Name in FormatName]: readonly [text: string, line: number] } = {
  json: [`{\n  "theme": "dark"\n  "more": 1\n}\n`, 3],
  toml: [`model = "m"\n[oops\n`, 2],
  yaml: [`a: 1\nb: [1, 2\nc: 3\n`, 3],
  bash: [`option debug true\nmcp add "mine --command x\n`, 2],
}

/** An entry of the same name that is not ours, as somebody may have written it. */
export const FOREIGN: { readonly [Name in FormatName]: (under: string) => string } = {
  json: (under) =>
    `{\n  "${under}": {\n    "moon": {\n      // mine\n      "command": "other",\n    },\n    "mine": {}\n  }\n}\n`,
  toml: (under) =>
    `[${under}.moon] # mine\ncommand = "other"\n\n[${under}.moon.env]\nA = "b" # keep\n\n# the next\n[${under}.mine]\ncommand = "x"\n`,
  yaml: (under) => `${under}:\n  moon: # mine\n    type: builtin\n    # keep\n  mine:\n    type: builtin\n`,
  bash: () => `mcp add moon \\\n  --command other # mine\nmcp add mine --command x\n`,
}

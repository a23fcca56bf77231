// Light or dark as the system is, unless somebody chose; and a menu that begins closed where there is little room.
const wanted = localStorage.getItem('theme')
if (wanted !== null) document.documentElement.dataset.theme = wanted

document.addEventListener('DOMContentLoaded', () => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  document.querySelector('#theme').addEventListener('click', () => {
    const { dataset } = document.documentElement
    const now = dataset.theme ?? (dark.matches ? 'dark' : 'light')
    dataset.theme = now === 'dark' ? 'light' : 'dark'
    localStorage.setItem('theme', dataset.theme)
  })

  const wide = matchMedia('(min-width: 56rem)')
  const menu = document.querySelector('.menu')
  const settle = () => {
    menu.open = wide.matches
  }
  wide.addEventListener('change', settle)
  settle()
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

  for (const block of document.querySelectorAll('pre')) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' })
    const say = (word) => () => {
      button.textContent = word
    }
    button.addEventListener('click', () => {
      void navigator.clipboard
        .writeText(block.querySelector('code').textContent)
        .then(say('Copied'), say('Cannot be copied'))
        .then(() => setTimeout(say('Copy'), 1500))
    })
    const frame = Object.assign(document.createElement('div'), { className: 'code' })
    block.replaceWith(frame)
    frame.append(block, button)
  }
})

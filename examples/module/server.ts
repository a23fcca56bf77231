import { defineServer, mount } from 'perigee'
import { countdown } from 'perigee/modules/countdown'
import { shelf } from './shelf.ts'

export default defineServer({
  name: 'library',
  version: '1.0.0',
  modules: [
    shelf({ room: 'hall', books: ['Emma', 'Ulysses'] }),
    mount('attic', shelf({ room: 'attic', books: ['Beowulf'] })), // Its tool is called attic_borrow.
    countdown(), // One of those that come with Perigee.
  ],
})

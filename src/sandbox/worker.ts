import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadData, ThreadReply, ThreadRequest } from './messages.ts'
import { Vm } from './vm.ts'

const { wasm, limits } = workerData as ThreadData // As `Thread` starts it.

/** The next one is made while nothing else is to do, so that a script need not wait for it. */
let spare: Promise<Vm> | undefined = Vm.create(wasm, limits)
let vm: Vm | undefined
let asked: Promise<void> = Promise.resolve()

parentPort?.on('message', (request: ThreadRequest) => {
  asked = asked
    .then(() => obey(request))
    .catch((error: Error) => {
      if (request.op !== 'leave') reply({ failed: error.message })
    })
})

async function obey(request: ThreadRequest): Promise<void> {
  switch (request.op) {
    case 'begin':
      vm = await (spare ?? Vm.create(wasm, limits))
      spare = undefined
      vm.begin(request.code)
      return reply({ ready: true })
    case 'resume':
      vm = await Vm.restore(request.image, wasm, limits)
      return reply({ ready: true })
    case 'go':
      return reply({ step: running().go(request.settled, request.now) })
    case 'save':
      return reply({ image: running().save() })
    case 'leave':
      vm?.leave()
      vm = undefined
      spare ??= Vm.create(wasm, limits)
      await spare
  }
}

function running(): Vm {
  if (vm === undefined) throw new Error('There is no script here')
  return vm
}

function reply(message: ThreadReply): void {
  parentPort?.postMessage(message)
}

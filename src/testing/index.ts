/** For those who test what they wrote: a client for servers, and contracts for stores and transports. */
export { createTestClient, type TestClient, type TestClientOptions } from '../client/test-client.ts'
export type { ContractTest } from './contract.ts'
export { type StoreContract, testStore } from './store/index.ts'
export { type ContractServer, createContractServer, type Kept } from './transport/contract-server.ts'
export type { TransportContract, TransportEnd, TransportFeature, TransportOpening } from './transport/end.ts'
export { testTransport } from './transport/index.ts'

/** How many resources there are that clients subscribe to. */
export const ROOMS = 10

export const roomUri = (room) => `room://${room}`

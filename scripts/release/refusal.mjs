/** Why there is no release: something that whoever asked for it can mend. */
export class Refusal extends Error {}

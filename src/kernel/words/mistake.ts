/** A mistake of whoever wrote the server, in words of ours: they say nothing that a model may not hear. */
export class Mistake extends TypeError {}

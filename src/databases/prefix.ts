/** What our keys begin with in an engine, unless the URL says otherwise: several servers share one, and do not meet. */
export const DEFAULT_PREFIX = 'perigee:'

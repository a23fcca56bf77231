/** What our keys begin with in an engine, unless the URL says otherwise. */
export const DEFAULT_PREFIX = 'perigee:'

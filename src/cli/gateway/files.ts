/** What a gateway reads unless told otherwise: the file that hosts have in a project. */
export const CONFIGURATION = '.mcp.json'

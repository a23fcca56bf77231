/** Makes one script that any Node can run of a TypeScript file; gives its path, in a new folder of its own. */
export function compile(file: string): Promise<string>

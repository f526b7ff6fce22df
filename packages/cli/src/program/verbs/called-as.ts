const startsPosthorn = /(?:^|[\s"'/])posthorn["']?(?:\s|$)/;

/**
 * How to call the command again: through npx if npx or a package.json script started it, because a shell does not find
 * it then.
 */
export const calledAs = (env: NodeJS.ProcessEnv = process.env): string =>
  startsPosthorn.test(env["npm_lifecycle_script"] ?? "") ? "npx posthorn" : "posthorn";

/** Rewrites the commands in a hint so that they can be typed unchanged. */
export const asCalled = (hint: string, env?: NodeJS.ProcessEnv): string =>
  hint.replace(/(?<=(?:^|: |\n *))posthorn(?= [a-z-])/g, calledAs(env));

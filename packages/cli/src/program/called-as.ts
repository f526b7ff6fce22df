const startsPosthorn = /(?:^|[\s"'/])posthorn["']?(?:\s|$)/;

/** How the command is called again: by npx where npx or a script of a package.json started it, as no shell finds it then. */
export const calledAs = (env: NodeJS.ProcessEnv = process.env): string =>
  startsPosthorn.test(env["npm_lifecycle_script"] ?? "") ? "npx posthorn" : "posthorn";

/** A hint whose commands can be typed as they stand. */
export const asCalled = (hint: string, env?: NodeJS.ProcessEnv): string =>
  hint.replace(/(?<=(?:^|: |\n *))posthorn(?= [a-z-])/g, calledAs(env));

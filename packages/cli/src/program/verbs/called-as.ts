const startsPosthorn = /(?:^|[\s"'/])posthorn["']?(?:\s|$)/;

/**
 * How to call the command again: through npx if npx or a package.json script started it, because a shell does not find
 * it then.
 */
export const calledAs = (env: NodeJS.ProcessEnv = process.env): string =>
  startsPosthorn.test(env["npm_lifecycle_script"] ?? "") ? "npx posthorn" : "posthorn";

/** Options of all commands that choose what a command acts on. */
export interface Choice {
  dev?: boolean;
  profile?: string;
  environmentFile?: string;
  envFile?: string;
}

/**
 * Rewrites the commands in a message so that they can be typed unchanged and act on the same database or server as the
 * command that suggests them.
 */
export const asCalled = (text: string, choice: Choice = {}, env?: NodeJS.ProcessEnv): string =>
  text.replace(/(?<=(?:^|: |\n *))posthorn(?= ([a-z-]+))/g, (_, word: string) =>
    [calledAs(env), ...(/^-|^(?:dev|profiles)$/.test(word) ? [] : optionsOf(choice))].join(" "),
  );

function optionsOf({ dev, profile, envFile, environmentFile = envFile }: Choice): string[] {
  return [
    ...(dev === true ? ["--dev"] : []),
    ...(profile === undefined ? [] : ["--profile", shellWord(profile)]),
    ...(environmentFile === undefined ? [] : ["--environment-file", shellWord(environmentFile)]),
  ];
}

const shellWord = (text: string): string =>
  /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

import { shellWord } from "./shell-word.ts";

const startsPosthorn = /(?:^|[\s"'/])posthorn["']?(?:\s|$)/;

/**
 * How to call the command again: through npx if npx or a package.json script started it, because a shell does not find
 * it then.
 */
export const calledAs = (env: NodeJS.ProcessEnv = process.env): string =>
  startsPosthorn.test(env["npm_lifecycle_script"] ?? "") ? "npx posthorn" : "posthorn";

/** Options that choose what a command acts on. */
export interface Choice {
  dev?: boolean;
  profile?: string;
  environmentFile?: string;
  envFile?: string;
  databaseUrl?: string;
  /** The workspace, of commands that act on one. */
  workspace?: string;
}

/** Nouns whose commands act on a workspace. */
export const workspaceNouns: ReadonlySet<string> = new Set([
  ...["api-keys", "attachments", "audit-log", "batches", "campaigns", "domains", "emails", "events"],
  ...["inbound", "inbound-endpoints", "invitations", "members", "metrics", "recipients", "settings"],
  ...["smtp-servers", "stylesheets", "suppressions", "templates", "webhooks"],
]);

/** Commands that start a service, and an alternative; on the database of `posthorn dev`, only that does. */
const startsService = /posthorn serve(?:,? or posthorn (?:worker|migrate))?/g;

/**
 * Rewrites the commands in a message so that they can be typed unchanged and act on the same database or server, and
 * the same workspace, as the command that suggests them.
 */
export const asCalled = (text: string, choice: Choice = {}, env?: NodeJS.ProcessEnv): string =>
  (choice.dev === true ? text.replace(startsService, "posthorn dev") : text).replace(
    /(?<=(?:^|[:?] |, or |\n *))posthorn ([a-z-]+)((?: [a-z][a-z-]*)?)(?=([^\n]*))/g,
    (_, noun: string, verb: string, rest: string) => {
      const places = /^-|^(?:dev|profiles)$/.test(noun) ? [] : optionsOf(choice);
      const takesWorkspace = workspaceNouns.has(noun) && !/^[^.]* --(?:workspace|help)\b/.test(rest);
      const workspace =
        choice.workspace === undefined || !takesWorkspace ? [] : ["--workspace", shellWord(choice.workspace)];
      return [calledAs(env), ...places, `${noun}${verb}`, ...workspace].join(" ");
    },
  );

function optionsOf({ dev, profile, envFile, environmentFile = envFile, databaseUrl }: Choice): string[] {
  return [
    ...(dev === true ? ["--dev"] : []),
    ...(profile === undefined ? [] : ["--profile", shellWord(profile)]),
    ...(environmentFile === undefined ? [] : ["--environment-file", shellWord(environmentFile)]),
    // A password in it is not repeated.
    ...(databaseUrl === undefined || /^\w+:\/\/[^/]*@/.test(databaseUrl)
      ? []
      : ["--database-url", shellWord(databaseUrl)]),
  ];
}

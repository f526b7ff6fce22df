import type { Posthorn } from "@posthorn/core";
import { ofProduction, useDevServer } from "../../commands/dev/dev-settings.ts";
import type { OpenedService, OpenOptions } from "../../service/open-service.ts";
import { askAtTerminal } from "../../terminal/ask-at-terminal.ts";
import { createOutput, type Output } from "../../terminal/output.ts";
import type { OutputFormat } from "../../terminal/output-formats.ts";
import { withoutTurns } from "../../terminal/safe-text.ts";
import { CliError } from "../errors/cli-error.ts";
import { type LoadedConfig, loadConfig } from "../settings/config.ts";
import { type Api, enterWorkspace, findAnyWorkspace, type NamedWorkspace, type WorkspaceApi } from "./api.ts";
import { assertOwnDatabase } from "./own-database.ts";

/** Context of a command's action. */
export interface CommandContext {
  output: Output;
  /** Aborts on Ctrl-C, and when the reader of standard output closes the pipe. */
  signal: AbortSignal;
  /** Returns the settings; `forDev`: a development server's, which leaves those of a real one unread. */
  config(forDev?: boolean): LoadedConfig;
  /**
   * Returns the settings, for commands that work on the database itself. Throws a usage error if a profile is selected;
   * `why` is a sentence on what a server does instead.
   */
  ownDatabase(why?: string): LoadedConfig["values"];
  /** Opens the configured service; closed after the action. */
  open(options?: OpenOptions): Promise<OpenedService>;
  /** `open().posthorn`. */
  posthorn(): Promise<Posthorn>;
  /** The API of the configured service. */
  api(): Promise<Api>;
  /** The API on a workspace: the named one, that of `SERVICE_WORKSPACE`, or the only one. */
  inWorkspace(named: string | undefined): Promise<WorkspaceApi>;
  /** The same workspace for administrators' commands: on a server they need not be members. */
  workspace(named: string | undefined): Promise<NamedWorkspace>;
  /**
   * Asks before something is destroyed. `--yes` confirms; without a terminal it is required. Throws a usage error
   * otherwise. `atTerminal` gives the question with more to know, and is called only where it is asked.
   */
  confirm(question: string, atTerminal?: () => Promise<string>): Promise<void>;
}

export interface GlobalOptions {
  json: boolean;
  debug: boolean;
  format?: OutputFormat;
  yes?: boolean;
  dev?: boolean;
  profile?: string;
}

/** Creates the context of one run, with a function that ends it. */
export function createCommandContext(
  options: GlobalOptions & Record<string, unknown>,
  signal: AbortSignal,
): { context: CommandContext; close(): Promise<void> } {
  const output = createOutput(options);
  let loaded: LoadedConfig | undefined;
  let opened: Promise<OpenedService> | undefined;
  const config = (forDev = options.dev === true): LoadedConfig => {
    if (loaded !== undefined) return loaded;
    loaded = loadConfig(options, undefined, undefined, forDev ? ofProduction : []);
    if (options.dev === true) useDevServer(loaded);
    return loaded;
  };
  /** A development server, and commands on its database, take no server from the environment either. */
  const profile = (): string | undefined =>
    options.profile ??
    (options.dev === true || loaded?.isDev === true
      ? undefined
      : process.env["SERVICE_PROFILE"] || undefined);
  const ownDatabase = (why?: string): LoadedConfig["values"] => {
    assertOwnDatabase(profile(), why);
    return config().values;
  };
  const open = async (openOptions: OpenOptions = {}): Promise<OpenedService> => {
    const values = ownDatabase();
    opened ??= import("../../service/open-service.ts").then(({ openService }) =>
      openService(values, openOptions),
    );
    return await opened;
  };
  const posthorn = async (): Promise<Posthorn> => (await open()).posthorn;
  const api = async (): Promise<Api> => {
    const name = profile();
    if (name !== undefined) {
      const [{ connectToServer }, { openProfiles, profilesFile }] = await Promise.all([
        import("./connect-to-server.ts"),
        import("../settings/profiles.ts"),
      ]);
      return connectToServer(name, openProfiles(profilesFile()).get(name), signal);
    }
    const { connectDirectly } = await import("./connect-directly.ts");
    return connectDirectly(await posthorn());
  };
  const chosen = async (named: string | undefined, all: Api): Promise<string | undefined> => {
    const { workspace, single_workspace: single } = config().values;
    const given = named ?? workspace;
    // The only workspace of this machine's service says nothing about a key of another server's.
    if (given !== undefined || single === undefined || all.isKey) return given;
    // The service itself knows its workspace, whatever its name is by now, and creates it if no start has done so.
    return all.kind === "server" ? single : `${(await all.request("GET /workspaces/current")).id}`;
  };
  const context: CommandContext = {
    output,
    signal,
    config,
    ownDatabase,
    open,
    posthorn,
    api,
    async inWorkspace(named) {
      const all = await api();
      return await enterWorkspace(all, await chosen(named, all));
    },
    async workspace(named) {
      const all = await api();
      return await findAnyWorkspace(all, await chosen(named, all));
    },
    async confirm(question, atTerminal) {
      if (options.yes !== true) await confirm(question, output, atTerminal);
    },
  };
  return {
    context,
    async close() {
      const service = await opened?.catch(() => undefined);
      await service?.close();
    },
  };
}

async function confirm(question: string, output: Output, atTerminal = async () => question): Promise<void> {
  if (!output.interactive) {
    throw new CliError(
      "usage",
      `${question} There is no terminal to ask on.`,
      "Run the command again with --yes.",
    );
  }
  const message = withoutTurns(await atTerminal());
  const answer = await askAtTerminal(({ confirm: ask }, options) =>
    ask({ message, initialValue: false, ...options }),
  );
  if (!answer) throw new CliError("failed", "Nothing was done.");
}

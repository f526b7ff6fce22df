import type { Client, FollowFields, Item, PageOf } from "@posthorn/client";
import { CliError } from "../errors/cli-error.ts";
import { hasCode } from "../errors/has-code.ts";
import { defined } from "../verbs/defined.ts";
import { allPages, type RequestedPage } from "./all-pages.ts";

/** The API of the command line: calls routes in the API's names, on a server or in this process. */
export interface Api {
  /**
   * `database`: the service in this process, as its operator. `server`: a server over HTTP, with the profile's login or
   * key.
   */
  readonly kind: "database" | "server";
  /** Whether it authenticates with an API key, which gives access only to its workspace's e-mails. */
  readonly isKey: boolean;
  /** Calls a route. Rejects with its refusal. */
  readonly request: Client["request"];
  /** Makes a dry run of a route that has one. */
  readonly dryRun: Client["dryRun"];
  /** Yields the file that a route responds with, in chunks. */
  readonly download: Client["download"];
  /**
   * Follows the platform's events, each once and without gaps, even if the database or the server is unavailable for a
   * time.
   */
  follow(following: Following): AsyncGenerator<FollowedEvent, void, undefined>;
  /** Returns the same API for a workspace. */
  on(workspaceId: number): Api;
}

/** An event in the API's form. */
export type FollowedEvent = Item<"GET /admin/events">;

/** Filter and starting point of a subscription to events. */
export interface Following extends Omit<FollowFields, "last_event_id" | "wait"> {
  /** Id of the last event seen, or 0 for all events. */
  after: number;
  /** Whether to continue with later events. */
  waits: boolean;
  signal: AbortSignal;
  /** Called with a message when the connection is lost and when it is restored. */
  tell: (text: string) => void;
}

/** An API that acts on one workspace. */
export interface WorkspaceApi extends Api {
  readonly workspace: NamedWorkspace;
}

export interface NamedWorkspace {
  id: number;
  name: string;
}

/** Returns the API for a workspace by name or id; without either, for the only one. */
export async function enterWorkspace(api: Api, named: string | undefined): Promise<WorkspaceApi> {
  if (api.isKey) return { ...enterWithKey(api, named?.trim()), workspace: ofKey };
  const { id, name } = await findWorkspace(api, named, ownWorkspaces);
  return { ...api.on(id), workspace: { id, name } };
}

/** Finds any workspace by name or id, for administrators' commands: on a server they need not be members. */
export const findAnyWorkspace = async (api: Api, named: string | undefined): Promise<NamedWorkspace> =>
  await findWorkspace(api, named, allWorkspaces);

/** Source of workspaces. */
interface Workspaces {
  get(api: Api, id: number): Promise<NamedWorkspace>;
  list(api: Api, page: RequestedPage & { q?: string }): Promise<PageOf<NamedWorkspace>>;
}

const allWorkspaces: Workspaces = {
  get: (api, id) => api.request("GET /admin/workspaces/{id}", { id }),
  list: (api, page) => api.request("GET /admin/workspaces", page),
};

/** Workspaces of the login; for the operator at the database, all. */
const ownWorkspaces: Workspaces = {
  get: (api, id) => api.on(id).request("GET /workspaces/current"),
  list: (api, { q, ...page }) =>
    api.kind === "server"
      ? api.request("GET /workspaces", page)
      : api.request("GET /admin/workspaces", { ...page, ...defined({ q }) }),
};

/** A key belongs to one workspace, which only the server knows. */
const ofKey: NamedWorkspace = { id: 0, name: "the key's workspace" };

/**
 * The server refuses the number of another workspace than the key's. A name can't be compared, and mail meant for one
 * workspace must not go out from another.
 */
function enterWithKey(api: Api, named: string | undefined): Api {
  if (named === undefined) return api;
  if (isNumber(named)) return api.on(Number(named));
  throw new CliError(
    "usage",
    `An API key can't look up the workspace "${named}".`,
    "A key has one workspace: leave the name out (--workspace, SERVICE_WORKSPACE), or give the number. A login finds names: posthorn profiles login --help",
  );
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/** Names are not unique: if several workspaces match, a usage error lists their ids. */
async function findWorkspace(
  api: Api,
  given: string | undefined,
  among: Workspaces,
): Promise<NamedWorkspace> {
  if (given === undefined) return await findOnlyWorkspace(api, among);
  const named = given.trim().normalize("NFC");
  const hint = "Try: posthorn workspaces list";
  if (isNumber(named))
    return await among.get(api, Number(named)).catch((error: unknown) => {
      if (!hasCode(error, "not_found")) throw error;
      throw new CliError("not_found", `There is no workspace ${named}.`, hint, { cause: error });
    });
  // The beginning finds it: a filter has at most 200 characters.
  const q = [...named].slice(0, 100).join("");
  const found: NamedWorkspace[] = [];
  for await (const page of allPages((page) => among.list(api, { ...page, q })))
    found.push(...page.filter(({ name }) => name === named));
  const [only] = found;
  if (only === undefined) throw new CliError("not_found", `There is no workspace named "${named}".`, hint);
  if (found.length > 1)
    throw new CliError(
      "usage",
      `${found.length} workspaces are named "${named}": ${found.map(({ id }) => id).join(", ")}.`,
      "Name it by its number.",
    );
  return only;
}

async function findOnlyWorkspace(api: Api, among: Workspaces): Promise<NamedWorkspace> {
  const { data, pagination } = await among.list(api, { size: 2 });
  const [only] = data;
  if (only === undefined)
    throw new CliError(
      "not_found",
      "There is no workspace yet.",
      "Create one: posthorn workspaces create Shop --owner ada@example.com",
    );
  if (data.length > 1)
    throw new CliError(
      "usage",
      `There are ${pagination.total} workspaces. Name one with --workspace, or set SERVICE_WORKSPACE.`,
      "See them with: posthorn workspaces list",
    );
  return only;
}

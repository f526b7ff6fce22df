import type { Client, PageOf } from "@posthorn/client";
import { type AskedPage, allPages } from "./all-pages.ts";
import { CliError } from "./cli-error.ts";

/** What commands ask for the lines of the contract, in the words of the API, wherever it is answered. */
export interface Api {
  /** `database`: the service of this process answers, as its operator. `server`: one answers over HTTP, to the profile's login or key. */
  readonly kind: "database" | "server";
  /** Whether an API key is all there is to ask with: it sees the e-mails of its workspace and nothing else. */
  readonly isKey: boolean;
  /** Rejects with the refusal. */
  readonly request: Client["request"];
  /** Tries a line of the contract that can be tried. */
  readonly dryRun: Client["dryRun"];
  /** The file that a line answers, as it comes. */
  readonly download: Client["download"];
  /** The same on a workspace. */
  on(workspaceId: number): Api;
}

/** An API that acts on one workspace. */
export interface WorkspaceApi extends Api {
  readonly workspace: NamedWorkspace;
}

export interface NamedWorkspace {
  id: number;
  name: string;
}

/** The API on the workspace of a name or an id; without either, on the only one there is. */
export async function enterWorkspace(api: Api, named: string | undefined): Promise<WorkspaceApi> {
  const workspace = api.isKey ? ofKey : await findWorkspaceBy(api, named?.trim().normalize("NFC"));
  const { id, name } = workspace;
  return { ...api.on(id), workspace: { id, name } };
}

/** A key has its workspace, which only the server knows. */
const ofKey: NamedWorkspace = { id: 0, name: "the key's workspace" };

const isNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/** Names are not unique: where several workspaces have it, a usage error lists their ids. */
async function findWorkspaceBy(api: Api, named: string | undefined): Promise<NamedWorkspace> {
  if (named === undefined) return await findOnlyWorkspace(api);
  if (isNumber(named)) return await api.on(Number(named)).request("GET /workspaces/current");
  const ask = (page: AskedPage): Promise<PageOf<NamedWorkspace>> =>
    api.kind === "database"
      ? api.request("GET /admin/workspaces", { ...page, q: named })
      : api.request("GET /workspaces", page);
  const found: NamedWorkspace[] = [];
  for await (const page of allPages(ask)) found.push(...page.filter(({ name }) => name === named));
  const [only] = found;
  if (only === undefined)
    throw new CliError(
      "not_found",
      `There is no workspace named "${named}".`,
      "Try: posthorn workspaces list",
    );
  if (found.length > 1)
    throw new CliError(
      "usage",
      `${found.length} workspaces are named "${named}": ${found.map(({ id }) => id).join(", ")}.`,
      "Name it by its number.",
    );
  return only;
}

async function findOnlyWorkspace({ kind, request }: Api): Promise<NamedWorkspace> {
  const { data, pagination } =
    kind === "database"
      ? await request("GET /admin/workspaces", { size: 2 })
      : await request("GET /workspaces", { size: 2 });
  const [only] = data;
  if (only === undefined)
    throw new CliError(
      "not_found",
      "There is no workspace yet.",
      "Make one: posthorn workspaces create Shop --owner ada@example.com",
    );
  if (data.length > 1)
    throw new CliError(
      "usage",
      `Which of the ${pagination.total} workspaces? Name one with --workspace, or set SERVICE_WORKSPACE.`,
      "See them with: posthorn workspaces list",
    );
  return only;
}

import { ServiceError } from "../errors.ts";
import type { Repositories, Role, Workspace } from "../ports/storage.ts";

/** A workspace as its people see it. Times are ms since the epoch. */
export interface WorkspaceView {
  /** The workspace's number. */
  id: number;
  /** What it is called. */
  name: string;
  /** The host's own name for it. */
  externalId: string | undefined;
  /** The caller's role; absent for an operator. */
  role: Role | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

export const viewWorkspace = (workspace: Workspace, role: Role | undefined): WorkspaceView => ({
  id: workspace.id,
  name: workspace.name,
  externalId: workspace.externalId,
  role,
  createdAt: workspace.createdAt,
  updatedAt: workspace.updatedAt,
});

/** A workspace as administrators see it. Times are ms since the epoch. */
export interface AdministeredWorkspace {
  /** The workspace's number. */
  id: number;
  /** What it is called. */
  name: string;
  /** The host's own name for it. */
  externalId: string | undefined;
  /** Whether it may send from the server's own sender and through its mail server. */
  isTrusted: boolean;
  /** The plan that it was assigned; absent where the default is in force. */
  planId: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

export const viewAdministered = (workspace: Workspace): AdministeredWorkspace => ({
  id: workspace.id,
  name: workspace.name,
  externalId: workspace.externalId,
  isTrusted: workspace.isTrusted,
  planId: workspace.planId,
  createdAt: workspace.createdAt,
  updatedAt: workspace.updatedAt,
});

/** The workspace; throws `not_found`. */
export async function getWorkspaceOrThrow(
  storage: Pick<Repositories, "workspaces">,
  id: number,
): Promise<Workspace> {
  const workspace = await storage.workspaces.find(id);
  if (workspace === undefined)
    throw new ServiceError("not_found", { message: `There is no workspace ${id}.` });
  return workspace;
}

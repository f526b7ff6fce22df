import { orNotFound } from "../calls/or-not-found.ts";
import type { Repositories, Role, Workspace } from "../ports/storage.ts";

/** A workspace as its members see it. Times are ms since the epoch. */
export interface WorkspaceView {
  /** The workspace's number. */
  id: number;
  /** The display name. */
  name: string;
  /** The host's own id for it. */
  externalId: string | undefined;
  /** The caller's role; absent for the operator. */
  role: Role | undefined;
  /** When it was created, ms since the epoch. */
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
  /** The display name. */
  name: string;
  /** The host's own id for it. */
  externalId: string | undefined;
  /** Whether it may send from the server's default sender and through its mail server. */
  isTrusted: boolean;
  /** Number of the assigned plan; absent if the default plan applies. */
  planId: number | undefined;
  /** When it was created, ms since the epoch. */
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

/** Returns the workspace. Throws `not_found`. */
export async function getWorkspaceOrThrow(
  storage: Pick<Repositories, "workspaces">,
  id: number,
): Promise<Workspace> {
  return orNotFound(await storage.workspaces.find(id), `workspace ${id}`);
}

import { createWorkspace, createWorkspaceFor } from "./create-workspace.ts";
import { deleteWorkspace } from "./delete-workspace.ts";
import { ensureWorkspace } from "./ensure-workspace.ts";
import { findWorkspace } from "./find-workspace.ts";
import { getWorkspace } from "./get-workspace.ts";
import { listAllWorkspaces } from "./list-all-workspaces.ts";
import { listWorkspaces } from "./list-workspaces.ts";
import { transferOwnership } from "./transfer-ownership.ts";
import { distrustWorkspace, trustWorkspace } from "./trust-workspace.ts";
import { updateWorkspace } from "./update-workspace.ts";

/** Workspaces: each has its own members, e-mails and settings. */
export const workspaces = {
  list: listWorkspaces,
  create: createWorkspace,
  createFor: createWorkspaceFor,
  ensure: ensureWorkspace,
  get: getWorkspace,
  update: updateWorkspace,
  delete: deleteWorkspace,
  transferOwnership,
  listAll: listAllWorkspaces,
  find: findWorkspace,
  trust: trustWorkspace,
  distrust: distrustWorkspace,
} as const;

import { userInfo } from "node:os";
import type { CallOptions, WorkspaceCallOptions, WorkspacesCallOptions } from "@posthorn/core";

type Operator = { as: { kind: "operator"; name: string } };

/** Returns the caller for the operator of this process, named after the system's user, on a workspace or on all. */
export function operatorCall(workspaceId: number): WorkspaceCallOptions & Operator;
export function operatorCall(workspaceId: "all"): WorkspacesCallOptions & Operator;
export function operatorCall(): CallOptions & Operator;
export function operatorCall(workspaceId?: number | "all"): Partial<WorkspacesCallOptions> & Operator {
  return {
    as: { kind: "operator", name: operatorName() },
    ...(workspaceId === undefined ? {} : { workspaceId }),
  };
}

/** Name of the operator in the event log: the system's user. */
export function operatorName(): string {
  return `${userName()} (command line)`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number without an account.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

import { userInfo } from "node:os";
import type { CallOptions, WorkspaceCallOptions, WorkspacesCallOptions } from "@posthorn/core";

type Operator = { as: { kind: "operator"; name: string } };

/** Calls as the operator of this process, whom the event log names by the system's user, on a workspace or all where one is needed. */
export function operatorCall(workspaceId: number): WorkspaceCallOptions & Operator;
export function operatorCall(workspaceId: "all"): WorkspacesCallOptions & Operator;
export function operatorCall(): CallOptions & Operator;
export function operatorCall(workspaceId?: number | "all"): Partial<WorkspacesCallOptions> & Operator {
  return {
    as: { kind: "operator", name: operatorName() },
    ...(workspaceId === undefined ? {} : { workspaceId }),
  };
}

/** Whom the event log names: the system's user. */
export function operatorName(): string {
  return `${userName()} (command line)`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that no account stands behind.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

import { isCaller, isNumberOf, kindOf } from "./caller.ts";

/** Checks a call for hosts without types. Throws a `TypeError` that names what is wrong with it. */
export function assertCall(call: unknown): void {
  const { caller, client, workspaceId }: Record<string, unknown> = Object(call);
  if (typeof client !== "object" || client === null)
    throw new TypeError("execute takes the call as its third argument: { caller, client, workspaceId }");
  if (!isCaller(caller))
    throw new TypeError(
      'execute takes as "caller" what findUser or authenticateApiKey answers, or { kind: "operator", name } for the host itself',
    );
  if ((workspaceId ?? "all") !== "all" && !isNumberOf(workspaceId))
    throw new TypeError(
      `execute takes as "workspaceId" a workspace's number, or "all", not ${kindOf(workspaceId)}`,
    );
}

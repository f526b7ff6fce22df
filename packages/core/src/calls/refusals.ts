import type { ErrorCode, ServiceError } from "../errors.ts";
import { type Access, isPermission, type Way, waysOf } from "../permissions.ts";
import type { Logger } from "../ports/logger.ts";

/** As much of a use case as says what it may refuse with. */
export interface Refusing {
  access: Access;
  refusals?: readonly ErrorCode[];
}

/**
 * The codes that a call of the use case may be refused with: by who calls, by its fields, and its own. The interface's documents and the
 * docstrings of verbs are made from them. Besides, any call may find the service `unavailable`.
 */
export function refusalsOf({ access, refusals = [] }: Refusing): ErrorCode[] {
  return [
    ...new Set(["validation_failed", "not_found", ...waysOf(access).flatMap(byWay), ...refusals] as const),
  ];
}

function byWay(way: Way): readonly ErrorCode[] {
  if (way === "anonymous") return [];
  if (way === "administrator") return ["unauthenticated", "administrator_required"];
  if (isPermission(way)) return ["unauthenticated", "workspace_required", "not_a_member", "forbidden"];
  return way === "api_key" ? ["unauthenticated", "workspace_required"] : ["unauthenticated"];
}

/** Said where a use case refuses with a code that it does not declare: the refusal stands, but no document tells of it. */
export const undeclared = "a use case refused with a code that it does not declare";

/** Hands on what refuses a call, and says so where it was not declared. */
export function tellUndeclared(logger: Logger, useCase: Refusing, { code, message }: ServiceError): void {
  if (!refusalsOf(useCase).includes(code)) logger.error({ code, refusal: message }, undeclared);
}

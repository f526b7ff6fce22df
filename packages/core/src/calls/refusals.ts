import type { ErrorCode, ServiceError } from "../errors.ts";
import { type Access, isPermission } from "../permissions.ts";
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
  return [...new Set(["validation_failed", "not_found", ...byAccess(access), ...refusals] as const)];
}

function byAccess(access: Access): readonly ErrorCode[] {
  if (access === "anonymous") return [];
  if (access === "administrator") return ["unauthenticated", "administrator_required"];
  if (isPermission(access)) return ["unauthenticated", "workspace_required", "not_a_member", "forbidden"];
  return access === "api_key" ? ["unauthenticated", "workspace_required"] : ["unauthenticated"];
}

/** Said where a use case refuses with a code that it does not declare: the refusal stands, but no document tells of it. */
export const undeclared = "a use case refused with a code that it does not declare";

/** Hands on what refuses a call, and says so where it was not declared. */
export function tellUndeclared(logger: Logger, useCase: Refusing, { code, message }: ServiceError): void {
  if (!refusalsOf(useCase).includes(code)) logger.error({ code, refusal: message }, undeclared);
}

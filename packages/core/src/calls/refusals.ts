import type { ErrorCode, ServiceError } from "../errors.ts";
import { type Access, isPermission, type Way, waysOf } from "../permissions.ts";
import type { Logger } from "../ports/logger.ts";

/** The parts of a use case that determine its error codes. */
export interface Refusing {
  access: Access;
  refusals?: readonly ErrorCode[];
}

/**
 * Returns the error codes of a use case: those of its kinds of access, of its fields, and its own. The API's documents
 * and the docstrings of verbs are generated from them. In addition, any call may fail with `unavailable` or `internal_error`.
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

/**
 * Logged if a use case refuses with a code that it does not declare. The refusal is returned all the same, but no
 * document mentions it.
 */
export const undeclared = "a use case refused with a code that it does not declare";

/** What belongs to every call, such as one whose file the host's parser has changed. */
const always: readonly ErrorCode[] = ["unavailable", "internal_error"];

/** Logs an error if a refusal's code was not declared, and does not belong to every call. */
export function reportUndeclared(logger: Logger, useCase: Refusing, { code, message }: ServiceError): void {
  if (!always.includes(code) && !refusalsOf(useCase).includes(code))
    logger.error({ code, refusal: message }, undeclared);
}

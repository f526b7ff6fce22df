import { type Admitted, type Call, type ClientInfo, fieldError, ServiceError } from "@posthorn/core";
import { errorMessages, permissions } from "@posthorn/core/internal";
import type { Route } from "../../contract/route.ts";
import { headerOf, type WireRequest } from "../../contract/wire-request.ts";
import type { ServedPosthorn } from "../served-posthorn.ts";

/** Kinds of credentials that a route requires. */
export type Credentials = "none" | "jwt" | "jwt+workspace" | "api_key" | "jwt+workspace or api_key";

/** Determines which credentials a route requires (service.md, Authentication). */
export function credentialsFor({
  access,
  takesKey,
}: Pick<Route, "access"> & Partial<Pick<Route, "takesKey">>): Credentials {
  if (access === "anonymous") return "none";
  if (access === "api_key") return "api_key";
  if (!Object.hasOwn(permissions, access)) return "jwt";
  return takesKey === true ? "jwt+workspace or api_key" : "jwt+workspace";
}

/** What a route's callers send as their token; a route without credentials never asks for it. */
const tokens: Record<Exclude<Credentials, "none">, string> = {
  jwt: "a login's token; an API key is not enough here",
  "jwt+workspace": "a login's token; an API key is not enough here",
  api_key: "an API key; a login's token is not enough here",
  "jwt+workspace or api_key": "an API key or a login's token",
};

/**
 * Says of an `unauthenticated` what the route takes: whether it was missing, wrong or of the other kind, the answer is
 * the same.
 */
export function namingToken(error: unknown, credentials: Credentials): unknown {
  if (credentials === "none" || !(error instanceof ServiceError) || error.code !== "unauthenticated")
    return error;
  if (error.message !== errorMessages.unauthenticated) return error;
  return tokenRequired(tokens[credentials], error);
}

/** The refusal of a caller who has to send `token` as a bearer token. */
export const tokenRequired = (token: string, cause?: unknown): ServiceError =>
  new ServiceError("unauthenticated", {
    message: `Credentials are missing or not valid: send the header Authorization: Bearer, then ${token}.`,
    cause,
  });

const maxTokenLength = 4096;

/**
 * Returns the token of `Authorization: Bearer …`. Throws `unauthenticated` without one, `validation_failed` for more
 * than one.
 */
export function bearerOf(request: WireRequest): string {
  const token = givenToken(request);
  if (token === undefined) throw new ServiceError("unauthenticated");
  return token;
}

/** Returns the token of `Authorization: Bearer …`, if there is one. Throws `validation_failed` for more than one. */
export function givenToken(request: WireRequest): string | undefined {
  if (request.repeatedAuthorization) throw fieldError("Authorization", "is given more than once");
  return tokenOf(request);
}

function tokenOf(request: WireRequest): string | undefined {
  const value = headerOf(request, "authorization");
  const token = value === undefined ? undefined : /^Bearer +([\w~+/.=-]+) *$/i.exec(value)?.[1];
  return token === undefined || token.length > maxTokenLength ? undefined : token;
}

/** Returns the client of a request: its address and user agent. */
export const clientOf = (request: WireRequest, requestId: string | undefined): ClientInfo => ({
  ip: request.ip,
  userAgent: (headerOf(request, "user-agent") ?? "").slice(0, 512),
  requestId,
});

/** The parts of the service that authenticate a caller. */
export type Authenticating = Pick<
  ServedPosthorn,
  "authenticateUser" | "authenticateApiKey" | "admit" | "isOwnToken" | "config"
>;

/**
 * Checks a request's credentials. Throws `unauthenticated`, `workspace_required`, `not_a_member` for a key of another
 * workspace, or the refusal of the host's own login.
 */
export async function authenticate(
  posthorn: Authenticating,
  credentials: Credentials,
  request: WireRequest,
  requestId?: string,
): Promise<Call> {
  const client = clientOf(request, requestId);
  if (credentials === "none") return { caller: { kind: "anonymous" }, client, workspaceId: undefined };
  if (credentials === "api_key" || (credentials === "jwt+workspace or api_key" && hasKey(request))) {
    const caller = await posthorn.authenticateApiKey(bearerOf(request));
    if (caller === undefined) throw new ServiceError("unauthenticated");
    if (namesAnother(request, caller.workspaceId))
      throw new ServiceError("not_a_member", {
        message: "The API key belongs to another workspace than X-Service-Workspace-Id names.",
      });
    return { caller, client, workspaceId: undefined };
  }
  const { caller, workspaceId } = await findPerson(posthorn, request);
  if (credentials === "jwt") return { caller, client, workspaceId: undefined };
  return { caller, client, workspaceId: workspaceOf(request, posthorn.config, workspaceId) };
}

const hasKey = (request: WireRequest): boolean => tokenOf(request)?.startsWith("sk_") === true;

/**
 * Finds the calling user: by the service's own token if the request has one, valid or not; otherwise by the host's
 * login, if there is one. Throws `unauthenticated`.
 */
export async function findPerson(
  posthorn: Authenticating,
  request: WireRequest,
  tokenInQuery?: string,
): Promise<Admitted> {
  const { askHost } = request;
  if (tokenInQuery !== undefined || askHost === undefined || hasOwnToken(posthorn, request)) {
    const token = tokenInQuery ?? bearerOf(request);
    const caller = token.length > maxTokenLength ? undefined : await posthorn.authenticateUser(token);
    if (caller === undefined) throw new ServiceError("unauthenticated");
    return { caller, workspaceId: undefined };
  }
  const login = await askHost();
  if (login === undefined) throw new ServiceError("unauthenticated");
  const admitted = await posthorn.admit(login);
  if (admitted !== undefined) return admitted;
  throw new ServiceError("unauthenticated", {
    message: "The application's login is of nobody that is known here.",
  });
}

function hasOwnToken(posthorn: Authenticating, request: WireRequest): boolean {
  const token = givenToken(request);
  return token !== undefined && posthorn.isOwnToken(token);
}

/** Whether a request names another workspace than that of its key: what is meant for one would be done in the other. */
export function namesAnother({ headers }: WireRequest, workspaceId: number): boolean {
  const named = headers["x-service-workspace-id"];
  return named !== undefined && named !== String(workspaceId);
}

function workspaceOf(
  request: WireRequest,
  config: ServedPosthorn["config"],
  ofHost: number | undefined,
): number | undefined {
  // If the service has only one workspace, or the host's login selects one, requests need not name it.
  const isGiven = request.headers["x-service-workspace-id"] !== undefined;
  if (!isGiven && (ofHost !== undefined || config.workspace !== undefined)) return ofHost;
  const value = headerOf(request, "x-service-workspace-id");
  if (value === undefined || !/^[1-9]\d{0,15}$/.test(value) || !Number.isSafeInteger(Number(value))) {
    const isRepeated = isGiven && value?.includes(",") !== false;
    throw new ServiceError(
      "workspace_required",
      isRepeated ? { message: "The header X-Service-Workspace-Id is given more than once." } : {},
    );
  }
  return Number(value);
}

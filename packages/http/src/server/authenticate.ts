import { type Access, type Call, type Caller, fieldError, permissions, ServiceError } from "@posthorn/core";
import { headerOf, type WireRequest } from "../contract/wire-request.ts";
import type { Posthorn } from "./posthorn.ts";

/** Which credentials an access asks for. */
export type Credentials = "none" | "jwt" | "jwt+workspace" | "api_key";

/** The one place that says which credentials a use case's access asks for (service.md, Authentication). */
export function credentialsFor(access: Access): Credentials {
  if (access === "anonymous") return "none";
  if (access === "api_key") return "api_key";
  return Object.hasOwn(permissions, access) ? "jwt+workspace" : "jwt";
}

const maxTokenLength = 4096;

/** The token of `Authorization: Bearer …`. Throws `unauthenticated` without one, `validation_failed` for more than one. */
export function bearerOf(request: WireRequest): string {
  if (request.repeatedAuthorization) throw fieldError("Authorization", "is given more than once");
  const value = headerOf(request, "authorization");
  const token = value === undefined ? undefined : /^Bearer +([\w~+/.=-]+) *$/i.exec(value)?.[1];
  if (token === undefined || token.length > maxTokenLength) throw new ServiceError("unauthenticated");
  return token;
}

/** Checks a request's credentials. Throws `unauthenticated` or `workspace_required`. */
export async function authenticate(
  posthorn: Pick<Posthorn, "authenticateUser" | "authenticateApiKey" | "config">,
  credentials: Credentials,
  request: WireRequest,
): Promise<Call> {
  const client = { ip: request.ip, userAgent: (headerOf(request, "user-agent") ?? "").slice(0, 512) };
  if (credentials === "none") return { caller: { kind: "anonymous" }, client, workspaceId: undefined };
  const token = bearerOf(request);
  const caller: Caller | undefined =
    credentials === "api_key"
      ? await posthorn.authenticateApiKey(token)
      : await posthorn.authenticateUser(token);
  if (caller === undefined) throw new ServiceError("unauthenticated");
  const workspaceId = credentials === "jwt+workspace" ? workspaceOf(request, posthorn) : undefined;
  return { caller, client, workspaceId };
}

/** Where the service has only one workspace, no request needs to name it. */
function workspaceOf(request: WireRequest, { config }: Pick<Posthorn, "config">): number | undefined {
  if (config.workspace !== undefined && request.headers["x-service-workspace-id"] === undefined)
    return undefined;
  const value = headerOf(request, "x-service-workspace-id");
  if (value === undefined || !/^[1-9]\d{0,15}$/.test(value) || !Number.isSafeInteger(Number(value))) {
    throw new ServiceError("workspace_required");
  }
  return Number(value);
}

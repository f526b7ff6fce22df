import type { ErrorCode } from "@posthorn/core";
import { errorMessages } from "@posthorn/core/internal";
import type { Route } from "../contract/route.ts";
import { type Method, takesBody, takesFile } from "../contract/signature.ts";
import { credentialsFor } from "../server/callers/authenticate.ts";
import { errorStatuses } from "../server/replies/error-response.ts";
import { urlTooLong } from "../server/requests/read-target.ts";
import type { Answer } from "./document.ts";
import type { JsonSchema } from "./schemas.ts";

/** Body of every error response (decisions §1). */
export const errorSchema: JsonSchema = {
  type: "object",
  properties: {
    success: { type: "boolean", const: false },
    error: {
      type: "object",
      properties: {
        code: { type: "string", enum: Object.keys(errorMessages) },
        message: { type: "string" },
        details: {
          anyOf: [
            {
              type: "array",
              items: {
                type: "object",
                properties: {
                  path: { type: "string" },
                  message: { type: "string" },
                  code: { type: "string" },
                  details: { type: "object" },
                },
                required: ["path", "message"],
              },
            },
            { type: "object" },
          ],
        },
        more: { type: "integer" },
      },
      required: ["code", "message"],
    },
    request_id: { type: "string" },
  },
  required: ["success", "error", "request_id"],
};

/** Responses that many routes share, by name in the document. */
export type SharedAnswers = Map<string, Answer>;

/** Names of the shared responses by code. All others are defined where they are used. */
const sharedNames: Partial<Record<string, string>> = {
  validation_failed: "Invalid",
  "validation_failed workspace_required": "InvalidInWorkspace",
  unauthenticated: "Unauthenticated",
  "api_key_expired unauthenticated": "KeyRefused",
  administrator_required: "AdministratorRequired",
  "forbidden not_a_member": "Forbidden",
  not_a_member: "OtherWorkspace",
  not_found: "NotFound",
  payload_too_large: "TooLarge",
  unsupported_media_type: "NotJson",
  rate_limited: "TooMany",
  internal_error: "Failed",
  unavailable: "Unavailable",
};

/** Error responses of a route, by status. */
export function refusalsOf(
  route: Route,
  shared: SharedAnswers,
  { hostLogin = false }: { hostLogin?: boolean } = {},
): Record<string, Answer | { $ref: string }> {
  const codes = codesOf(route);
  const ofLogin = hostLogin && credentialsFor(route).startsWith("jwt") ? hostLoginRefusals(route.method) : [];
  return refusalsFor([...new Set([...codes, ...ofLogin])].sort(), shared, route.statuses);
}

/**
 * What a host's own login may be refused with: its workspace does not exist, its profile has the address of somebody else's account,
 * or another site's page would change something by it.
 */
export const hostLoginRefusals = (method: Method): readonly ErrorCode[] => [
  "not_found",
  "email_taken",
  ...(method === "GET" ? [] : (["forbidden"] as const)),
];

/** Error responses for codes, and for a URL that is too long, by status. */
export function refusalsFor(
  codes: readonly ErrorCode[],
  shared: SharedAnswers,
  statuses: Route["statuses"] = {},
): Record<string, Answer | { $ref: string }> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statuses[code] ?? errorStatuses[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const messages = { payload_too_large: urlTooLong };
  shared.set("UrlTooLong", refusal(["payload_too_large"], undefined, messages));
  const answers = Object.fromEntries(
    [...byStatus].map(([status, of]) => {
      const name = sharedNames[of.toSorted().join(" ")];
      const answer = refusal(of, hints[status]);
      if (name === undefined) return [String(status), answer];
      shared.set(name, answer);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
  return { ...answers, "414": { $ref: "#/components/responses/UrlTooLong" } };
}

/** Returns the error codes of a route: those its use case declares, and those of HTTP itself. */
function codesOf(route: Route): ErrorCode[] {
  const { useCase, listFile } = route;
  const own = [useCase, ...(listFile === undefined ? [] : [listFile])].flatMap((one) => one.refusals ?? []);
  const codes: ErrorCode[] = ["validation_failed", "internal_error", "unavailable", ...own];
  const credentials = credentialsFor(route);
  if (credentials !== "none") codes.push("unauthenticated");
  if (credentials.endsWith("api_key")) codes.push("api_key_expired", "not_a_member");
  if (credentials.startsWith("jwt+workspace")) codes.push("workspace_required", "not_a_member", "forbidden");
  if (route.access === "administrator") codes.push("administrator_required");
  // The path may name something that does not exist.
  if (Object.keys(route.params).length > 0) codes.push("not_found");
  if (takesFile(route.signature)) codes.push("unsupported_media_type");
  if (takesBody(route.signature)) codes.push("payload_too_large", "unsupported_media_type");
  return [...new Set(codes)].sort();
}

const retryAfter = {
  description: "Seconds after which to try again.",
  schema: { type: "integer", minimum: 1 },
};

/** Header fields of refusals, by status. */
const hints: Readonly<Record<number, Answer["headers"]>> = {
  401: {
    "WWW-Authenticate": {
      description: "The scheme of the credentials: `Basic` of a call for a Postmark endpoint, else `Bearer`.",
      // Not listed: generators of clients write the quotes in a value as they stand.
      schema: { type: "string" },
    },
  },
  429: {
    "Retry-After": retryAfter,
    RateLimit: {
      description:
        "The exceeded limit, with what remains of it (`r`) and the seconds until it has room (`t`).",
      schema: { type: "string" },
    },
    "RateLimit-Policy": {
      description: "That limit: its quota (`q`) and window in seconds (`w`).",
      schema: { type: "string" },
    },
  },
  503: { "Retry-After": retryAfter },
};

function refusal(
  codes: readonly ErrorCode[],
  headers: Answer["headers"],
  messages: Partial<Record<ErrorCode, string>> = errorMessages,
): Answer {
  const request_id = "0190f3c1-7a2b-4c3d-8e4f-5a6b7c8d9e0f";
  const examples = Object.fromEntries(
    codes.map((code) => {
      const error = { code, message: messages[code] };
      return [code, { value: { success: false, error, request_id } }];
    }),
  );
  const schema = { $ref: "#/components/schemas/Error" };
  const description = codes.map((code) => `\`${code}\`: ${messages[code]}`).join("\n\n");
  const content = { "application/json": { schema, examples } };
  return { description, ...(headers && { headers }), content };
}

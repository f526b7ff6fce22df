import { LookupFault } from "../../network/lookup-fault.ts";
import type { HttpPostResult } from "../../ports/http-sender.ts";
import { lacksResources } from "../../rules/lacks-resources.ts";
import { ResponseTooLarge } from "./guarded-agent.ts";

/** Class of a failed request, see {@link HttpPostResult}. */
export type HttpFault = Extract<HttpPostResult, { kind: "fault" }>["fault"];

const byCode: [RegExp, HttpFault][] = [
  [/^(?:UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW|UND_ERR_RES_EXCEEDED_MAX_SIZE)$/, "too_large"],
  [/^(?:UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|UND_ERR_ABORTED)$/, "timeout"],
  [
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL|EACCES|UND_ERR_CONNECT_TIMEOUT)$/,
    "connect",
  ],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, "reset"],
  [
    /^(?:EPROTO|ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/,
    "tls",
  ],
];

/**
 * Returns the class of an error, and the code of one of TLS. The system's own message would reveal the internal network.
 */
export function faultOf(error: unknown): { fault: HttpFault; code?: string } {
  const fault = classOf(error);
  return fault === "tls" ? { fault, code: codeOf(error) } : { fault };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

function classOf(error: unknown): HttpFault {
  if (error instanceof LookupFault) return error.reason === "blocked" ? "blocked_address" : "dns";
  if (error instanceof ResponseTooLarge) return "too_large";
  if (error instanceof AggregateError)
    return error.errors.some((one) => classOf(one) === "exhausted") ? "exhausted" : "connect";
  if (lacksResources(error)) return "exhausted";
  if (isUnfit(error)) return "other";
  return byCode.find(([pattern]) => pattern.test(codeOf(error)))?.[1] ?? "other";
}

/** Whether undici ended the connection for what the endpoint answered, such as 101, which asks to leave HTTP. */
const isUnfit = (error: unknown): boolean =>
  codeOf(error) === "UND_ERR_SOCKET" && /^bad (?:response|upgrade)$/.test(Object(error).message);

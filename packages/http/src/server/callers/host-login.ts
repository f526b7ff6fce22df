import { type HostLogin, ServiceError } from "@posthorn/core";
import { msCheck, type OptionChecks } from "@posthorn/core/internal";
import type { WireRequest } from "../../contract/wire-request.ts";
import type { ServedPosthorn } from "../served-posthorn.ts";
import { readOrigins } from "./read-origins.ts";

/** Many libraries of logins answer null for nobody. */
type MaybeLogin = HostLogin | null | undefined;

/** Connects a host's own login to the service. `Args` is what the host's framework passes with a request. */
export interface HostLoginOptions<Args extends unknown[]> {
  /**
   * Returns the person who is logged in at the host, or `undefined` or `null` for nobody. Called only for requests of
   * people without a token of the service, because the service alone checks tokens and API keys. An error refuses the
   * request: a `ServiceError` is sent as it is, any other is logged as an error of the host.
   */
  authenticate?: ((...args: Args) => MaybeLogin | Promise<MaybeLogin>) | undefined;
  /** Maximum ms that `authenticate` may take; then the request gets a 503. Default 10,000. */
  authenticateTimeoutMs?: number | undefined;
}

/** What these options must be. */
export const hostLoginOptions: OptionChecks<HostLoginOptions<[]>> = {
  authenticate: true,
  authenticateTimeoutMs: msCheck,
};

interface Known<Args extends unknown[]> extends HostLoginOptions<Args> {
  corsOrigins?: readonly string[] | undefined;
}

/** Creates the function that asks the host about a request; `undefined` if the host has no login. */
export function createHostLogin<Args extends unknown[]>(
  { config }: Pick<ServedPosthorn, "config">,
  options: Known<Args>,
): (request: Pick<WireRequest, "method" | "headers">, args: Args) => WireRequest["askHost"] {
  const { authenticate, authenticateTimeoutMs: timeoutMs = 10_000 } = options;
  if (authenticate === undefined) return () => undefined;
  if (typeof authenticate !== "function") throw new TypeError("authenticate must be a function");
  const origins = new Set([...readOrigins(options.corsOrigins), new URL(config.baseUrl).origin]);
  return (request, args) => async () => {
    assertFromHere(request, origins);
    const answer = Promise.resolve().then(() => authenticate(...args));
    return (await within(timeoutMs, answer)) ?? undefined;
  };
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A host's login is often a cookie, which browsers also send with requests forged by other sites (CSRF). A change must
 * therefore come from a page of this origin, as Fetch Metadata shows, or `Origin` in browsers without it. Programs
 * other than browsers send neither.
 */
function assertFromHere(
  { method, headers }: Pick<WireRequest, "method" | "headers">,
  origins: ReadonlySet<string>,
): void {
  if (safeMethods.has(method)) return;
  // HTTP/2 has `:authority` in place of `Host`.
  const { origin, host = headers[":authority"] } = headers;
  if (typeof origin === "string" && origins.has(origin)) return;
  const site = headers["sec-fetch-site"];
  const isFromHere =
    site === undefined
      ? origin === undefined || (host !== undefined && URL.parse(String(origin))?.host === host)
      : site === "same-origin" || site === "none";
  if (!isFromHere)
    throw new ServiceError("forbidden", { message: "Another site's page may not do this by your login." });
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = "The login could not be looked at in time.";
      reject(new ServiceError("unavailable", { message, retryAfter: 1 }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

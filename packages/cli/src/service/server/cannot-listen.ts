import { isIPv6 } from "node:net";
import { CliError } from "../../program/errors/cli-error.ts";

/** Describes why a port can't be listened on, and what to do; `settings` names those of the port. */
export function cannotListen(
  error: NodeJS.ErrnoException,
  host: string,
  { port, settings }: { port: number; settings: string },
): unknown {
  const because: Partial<Record<string, string>> = {
    EADDRINUSE: "the port is taken",
    EACCES: "the port needs more rights",
    EADDRNOTAVAIL: "this machine has no such address",
    ENOTFOUND: "the host is unknown",
  };
  return new CliError(
    "failed",
    `The server can't listen on ${hostInUrl(host)}:${port}: ${because[error.code ?? ""] ?? error.message}.`,
    `Choose another with ${settings}.`,
    { cause: error },
  );
}

/** Returns a host for use in a URL; an address that means "all" becomes loopback. */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}

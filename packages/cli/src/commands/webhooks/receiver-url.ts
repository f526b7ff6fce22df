import { CliError } from "../../program/errors/cli-error.ts";
import { isLoopback } from "../../service/server/is-loopback.ts";

/** Parses a receiver's URL: `https:` anywhere, `http:` on this machine. Throws a usage error for any other. */
export function receiverUrl(given: string): URL {
  const url = /^https?:\/\//i.test(given) ? URL.parse(given) : null;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))) return url;
  throw new CliError(
    "usage",
    `"${given}" is not a receiver: it must begin with https://, or with http:// for this machine.`,
    "An example: http://127.0.0.1:3000/hooks",
  );
}

import { isIP } from "node:net";
import { hostname } from "node:os";
import type { ServerSettings, SmtpSecurity } from "./server-settings.ts";

/** A server as its URL tells it. */
export interface SmtpUrl {
  server: ServerSettings;
  /** Most connections at once, where the URL says so. */
  connections?: number;
}

const parameters = new Set(["connections", "security", "name", "insecure_tls"]);

/**
 * Reads `smtp://[user:password@]host[:port]` or `smtps://…` (decisions.md section 12). Ports default to 25, to 587
 * with a login, and to 465 for `smtps`. Query parameters:
 *
 * - `connections`: most connections at once, 1 to 100;
 * - `security`: `none`, `opportunistic` (STARTTLS where offered), `starttls` (no mail without), `tls` (from the start).
 *   Default: `tls` for `smtps`; for `smtp` with a login on another machine `starttls`, else `opportunistic`;
 * - `name`: what the client calls itself in EHLO, default the machine's name;
 * - `insecure_tls=true`: the server's certificate is not checked.
 *
 * Without a login, opportunistic TLS takes any certificate, as mail servers do among each other (RFC 7435). Throws a
 * TypeError that names the fault and never shows the password.
 */
export function parseSmtpUrl(text: string): SmtpUrl {
  // The parser's own error holds the whole URL.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw new TypeError("the SMTP URL can't be read: it must look like smtp://user:password@host:587");
  if (url.protocol !== "smtp:" && url.protocol !== "smtps:") {
    throw new TypeError(`the SMTP URL begins with ${url.protocol}// instead of smtp:// or smtps://`);
  }
  const host = decode(url.hostname, "host").replace(/^\[|\]$/g, "");
  if (!/^[A-Za-z0-9._:-]+$/.test(host)) throw new TypeError("the SMTP URL names no valid host");
  if (url.pathname !== "" && url.pathname !== "/")
    throw new TypeError("the SMTP URL has a path, which means nothing");
  if (url.hash !== "") throw new TypeError("the SMTP URL has a #: write %23 where the password holds one");
  for (const name of url.searchParams.keys()) {
    if (!parameters.has(name)) throw new TypeError(`the SMTP URL has an unknown parameter "${name}"`);
  }
  const username = decode(url.username, "user name");
  const password = decode(url.password, "password");
  if (username === "" && password !== "")
    throw new TypeError("the SMTP URL has a password without a user name");
  const hasLogin = username !== "";
  const security = readSecurity(url, hasLogin && !isLoopback(host));
  const allowsAnyCertificate = readFlag(url, "insecure_tls") || (security === "opportunistic" && !hasLogin);
  const connections = readConnections(url);
  return {
    server: {
      host,
      port: readPort(url, hasLogin, security),
      security,
      ...(hasLogin ? { username, password } : {}),
      clientName: readName(url),
      checksCertificate: !allowsAnyCertificate,
      publicOnly: false,
    },
    ...(connections === undefined ? {} : { connections }),
  };
}

/** What this machine calls itself in EHLO: its full name, else an address literal (RFC 5321 section 4.1.3). */
function defaultClientName(): string {
  const name = hostname();
  return /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(name) ? name : "[127.0.0.1]";
}

function decode(text: string, part: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw new TypeError(`the SMTP URL's ${part} has a % that begins no escape: write %25`);
  }
  if (/[\r\n]|\0/.test(decoded)) throw new TypeError(`the SMTP URL's ${part} holds a line break or NUL`);
  return decoded;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function readPort(url: URL, hasLogin: boolean, security: SmtpSecurity): number {
  if (url.port === "0") throw new TypeError("the SMTP URL has port 0");
  if (url.port !== "") return Number(url.port);
  if (security === "tls") return 465;
  return hasLogin ? 587 : 25;
}

function readSecurity(url: URL, mustBeSecure: boolean): SmtpSecurity {
  const value = url.searchParams.get("security");
  const isTls = url.protocol === "smtps:";
  if (value === null) return isTls ? "tls" : mustBeSecure ? "starttls" : "opportunistic";
  if (value !== "none" && value !== "opportunistic" && value !== "starttls" && value !== "tls") {
    throw new TypeError("the SMTP URL's security is not one of none, opportunistic, starttls, tls");
  }
  if (isTls && value !== "tls") throw new TypeError(`the SMTP URL asks for smtps and for security=${value}`);
  return value;
}

function readConnections(url: URL): number | undefined {
  const value = url.searchParams.get("connections");
  if (value === null) return undefined;
  if (!/^[1-9]\d?$|^100$/.test(value))
    throw new TypeError("the SMTP URL's connections is not a number from 1 to 100");
  return Number(value);
}

function readName(url: URL): string {
  const value = url.searchParams.get("name");
  if (value === null) return defaultClientName();
  if (!/^[A-Za-z0-9.:[\]-]{1,255}$/.test(value))
    throw new TypeError("the SMTP URL's name is not a host name");
  return value;
}

function readFlag(url: URL, name: string): boolean {
  const value = url.searchParams.get(name);
  if (value !== null && value !== "true" && value !== "false") {
    throw new TypeError(`the SMTP URL's ${name} is neither true nor false`);
  }
  return value === "true";
}

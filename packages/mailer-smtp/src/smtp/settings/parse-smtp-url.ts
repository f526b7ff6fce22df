import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { readSmtpParameters, type SmtpParameters } from "./read-smtp-parameters.ts";
import { readTlsFiles } from "./read-tls-files.ts";
import {
  type ServerSettings,
  type SmtpSecurity,
  type SmtpTimeouts,
  type SmtpTls,
  tokenMechanisms,
} from "./server-settings.ts";

/** A server as described by its URL. */
export interface SmtpUrl {
  server: Omit<ServerSettings, "resolver">;
  /** Maximum number of connections, if the URL sets it. */
  connections?: number;
  /** Messages after which a connection is replaced, if the URL sets it. */
  messagesPerConnection?: number;
  /** Maximum messages per second, if the URL sets it. */
  maxPerSecond?: number;
  timeouts: Partial<SmtpTimeouts>;
}

/**
 * Reads `smtp://[user:password@]host[:port]` or `smtps://…` (decisions.md section 12), with the query parameters of
 * `readSmtpParameters`. Ports default to 25, to 587 with a login, and to 465 for `smtps`. `security` defaults to `tls` for `smtps`;
 * for `smtp` with a login on another machine to `starttls`, else to `opportunistic`.
 *
 * Without a login, opportunistic TLS takes any certificate, and cleartext where TLS fails, as mail servers do among each other (RFC
 * 7435). Reads the files that the URL names, those of TLS anew at each connection. Throws a TypeError that names the fault and never shows the password.
 */
export function parseSmtpUrl(text: string): SmtpUrl {
  // The URL parser's own error would show the whole URL, including the password.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw new TypeError(
      "the SMTP URL can't be read: it must look like smtp://user:password@host:587, in which # / ? and @ of a password are written %23 %2F %3F %40",
    );
  const host = readHost(url);
  const parameters = readSmtpParameters(url.searchParams);
  const username = decode(url.username, "user name");
  const password = decode(url.password, "password");
  if (username === "" && password !== "")
    throw new TypeError("the SMTP URL has a password without a user name");
  const hasLogin = username !== "";
  const security = readSecurity(url, parameters, hasLogin && !isLoopback(host));
  const allowsAnyCertificate = parameters.insecure_tls ?? (security === "opportunistic" && !hasLogin);
  const tls = readTls(parameters);
  return {
    server: {
      host,
      port: readPort(url, hasLogin, security),
      security,
      ...(hasLogin ? { username, password } : {}),
      ...readLogin(parameters, hasLogin, password !== ""),
      clientName: parameters.name ?? defaultClientName(),
      // Custom root certificates imply that the certificate is to be checked.
      checksCertificate:
        !allowsAnyCertificate || (parameters.insecure_tls !== true && parameters.ca_file !== undefined),
      publicOnly: false,
      ...defined({
        tls,
        localAddress: parameters.local_address,
        envelopeSender: parameters.envelope_sender,
        dsn: parameters.dsn,
      }),
    },
    ...defined({
      connections: parameters.connections,
      messagesPerConnection: parameters.messages_per_connection,
      maxPerSecond: parameters.max_per_second,
    }),
    timeouts: defined({
      connect: parameters.connect_timeout,
      greeting: parameters.greeting_timeout,
      command: parameters.command_timeout,
      dot: parameters.dot_timeout,
      conversation: parameters.conversation_timeout,
    }),
  };
}

/** Returns this machine's name for EHLO: its full name, else an address literal (RFC 5321 section 4.1.3). */
export function defaultClientName(): string {
  const name = hostname();
  return /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(name) ? name : "[127.0.0.1]";
}

function readHost(url: URL): string {
  if (url.protocol !== "smtp:" && url.protocol !== "smtps:") {
    throw new TypeError(`the SMTP URL begins with ${url.protocol}// instead of smtp:// or smtps://`);
  }
  const host = decode(url.hostname, "host").replace(/^\[|\]$/g, "");
  if (!/^[A-Za-z0-9._:-]+$/.test(host)) throw new TypeError("the SMTP URL has no valid host");
  if (url.pathname !== "" && url.pathname !== "/")
    throw new TypeError("the SMTP URL has a path, which is not allowed");
  if (url.hash !== "") throw new TypeError("the SMTP URL has a #: write %23 for one in the password");
  return host;
}

function decode(text: string, part: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw new TypeError(`the SMTP URL's ${part} has a % outside an escape sequence: write %25`);
  }
  if (/[\r\n]|\0/.test(decoded)) throw new TypeError(`the SMTP URL's ${part} contains a line break or NUL`);
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

function readSecurity(url: URL, { security }: SmtpParameters, mustBeSecure: boolean): SmtpSecurity {
  const isTls = url.protocol === "smtps:";
  if (security === undefined) return isTls ? "tls" : mustBeSecure ? "starttls" : "opportunistic";
  if (isTls && security !== "tls")
    throw new TypeError(`the SMTP URL combines smtps with security=${security}`);
  return security;
}

function readTls({ ca_file, cert_file, key_file, tls_min }: SmtpParameters): (() => SmtpTls) | undefined {
  if ((cert_file === undefined) !== (key_file === undefined))
    throw new TypeError("the SMTP URL's cert_file and key_file must be given together");
  if ([ca_file, cert_file, tls_min].every((given) => given === undefined)) return undefined;
  const read = readTlsFiles({ ca: ca_file, cert: cert_file, key: key_file }, tls_min);
  return () => ({ ...read(), ...defined({ minVersion: tls_min }) });
}

function readLogin(
  { auth, token_file }: SmtpParameters,
  hasLogin: boolean,
  hasPassword: boolean,
): Pick<ServerSettings, "mechanism" | "accessToken"> {
  if (!hasLogin && (auth !== undefined || token_file !== undefined))
    throw new TypeError("the SMTP URL has settings of a login but no user name");
  if (token_file !== undefined && (hasPassword || (auth !== undefined && !tokenMechanisms.includes(auth))))
    throw new TypeError(
      "the SMTP URL's token_file replaces a password and requires auth=xoauth2 or auth=oauthbearer",
    );
  return defined({
    mechanism: auth,
    // Read at each login: tokens expire within an hour, and another program renews the file.
    accessToken:
      token_file === undefined ? undefined : async () => (await readFile(token_file, "utf8")).trim(),
  });
}

function defined<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

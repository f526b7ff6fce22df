import { isIP } from "node:net";
import type { SecureVersion } from "node:tls";
import { type DsnCondition, type SmtpSecurity, smtpMechanisms } from "./server-settings.ts";

const securities = ["none", "opportunistic", "starttls", "tls"] as const satisfies SmtpSecurity[];
const conditions = ["failure", "delay", "success", "never"] as const satisfies DsnCondition[];
const versions = ["1.0", "1.1", "1.2", "1.3"] as const;

/** The query parameters of an SMTP URL, and how each is parsed. Throws a TypeError that names the parameter. */
const readers = {
  /** `none`, `opportunistic` (STARTTLS if offered), `starttls` (required), `tls` (from the start). */
  security: oneOf(securities),
  /** `true`: the server's certificate is not checked. */
  insecure_tls: flag,
  /** A PEM file of the only trusted root certificates. */
  ca_file: text,
  /** PEM files of the client certificate and its key. */
  cert_file: text,
  key_file: text,
  /** The oldest TLS version: `1.0` to `1.3`, default `1.2`. */
  tls_min: tlsVersion,
  /** The only login mechanism: `plain`, `login`, `cram-md5`, `xoauth2`, `oauthbearer`. Default: what the server offers. */
  auth: oneOf(smtpMechanisms),
  /** A file with an OAuth 2 access token for the user, read at each login. */
  token_file: text,
  /** The client's name in EHLO, default the machine's name. */
  name: clientName,
  /** The local address to connect from. */
  local_address: localAddress,
  /** MAIL FROM of every message, instead of its sender. */
  envelope_sender: address,
  /**
   * DSN reports to request if the server supports them: `failure`, `delay`, `success`, separated by commas; or `never`;
   * or `none` for no request. Default `failure,delay`.
   */
  dsn: reports,
  /** Maximum number of connections, 1 to 100, default 10. */
  connections: between(1, 100),
  /** Messages after which a connection is replaced, 1 to 100,000, default 100. */
  messages_per_connection: between(1, 100_000),
  /** Maximum messages per second, 0.01 to 10,000. Default: as many as the server accepts. */
  max_per_second: rate,
  /** Time-outs in seconds, 1 to 3,600: defaults 30, 300, 300, 600, 1,800. */
  connect_timeout: seconds,
  greeting_timeout: seconds,
  command_timeout: seconds,
  dot_timeout: seconds,
  conversation_timeout: seconds,
} satisfies Record<string, (value: string, name: string) => unknown>;

/** Parsed query parameters of an SMTP URL; times in ms. */
export type SmtpParameters = { [K in keyof typeof readers]?: ReturnType<(typeof readers)[K]> };

/**
 * Parses the query parameters of an SMTP URL. Throws a TypeError for a parameter that is unknown, repeated or invalid.
 */
export function readSmtpParameters(parameters: URLSearchParams): SmtpParameters {
  const read: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    if (!Object.hasOwn(readers, name)) {
      const known = Object.keys(readers).join(", ");
      throw new TypeError(`the SMTP URL has an unknown parameter "${name}"; there are ${known}`);
    }
    if (Object.hasOwn(read, name)) throw new TypeError(`the SMTP URL has ${name} twice`);
    read[name] = readers[name as keyof typeof readers](value, name);
  }
  return read;
}

function fault(name: string, words: string): TypeError {
  return new TypeError(`the SMTP URL's ${name} ${words}`);
}

function oneOf<const T extends string>(values: readonly T[]) {
  return (value: string, name: string): T => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw fault(name, `is not one of ${values.join(", ")}`);
    return found;
  };
}

function between(least: number, most: number) {
  return (value: string, name: string): number => {
    const number = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) throw fault(name, `is not a number from ${least} to ${most}`);
    return number;
  };
}

function rate(value: string, name: string): number {
  const number = /^\d{1,5}(?:\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= 0.01 && number <= 10_000)) throw fault(name, "is not a number from 0.01 to 10000");
  return number;
}

function seconds(value: string, name: string): number {
  return between(1, 3600)(value, name) * 1000;
}

function flag(value: string, name: string): boolean {
  if (value !== "true" && value !== "false") throw fault(name, "is neither true nor false");
  return value === "true";
}

function text(value: string, name: string): string {
  if (value === "" || /\0/.test(value)) throw fault(name, "is empty or contains NUL");
  return value;
}

function tlsVersion(value: string, name: string): SecureVersion {
  const version = oneOf(versions)(value, name);
  return version === "1.0" ? "TLSv1" : `TLSv${version}`;
}

function clientName(value: string, name: string): string {
  if (!/^[A-Za-z0-9.:[\]-]{1,255}$/.test(value)) throw fault(name, "is not a host name");
  return value;
}

function localAddress(value: string, name: string): string {
  if (isIP(value) === 0) throw fault(name, "is not an IP address");
  return value;
}

function address(value: string, name: string): string {
  if (value.length > 254 || !/^[!-;=?-~]+@[!-;=?-~]+$/.test(value))
    throw fault(name, "is not an ASCII address");
  return value;
}

function reports(value: string, name: string): DsnCondition[] {
  if (value === "none") return [];
  const wanted = value.split(",").map((one) => oneOf(conditions)(one, name));
  // RFC 3461 section 4.1.
  if (wanted.includes("never") && wanted.length > 1) throw fault(name, "combines never with other values");
  if (new Set(wanted).size < wanted.length) throw fault(name, "lists a value twice");
  return wanted;
}

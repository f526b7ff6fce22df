import { urlFault } from "./url-fault.ts";

const sslModes = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
/** What leaves the choice open, or asks for a server that takes writes: a start on any other is refused. */
const targets = ["any", "read-write", "primary", "prefer-primary"];

/**
 * What libpq knows and `pg` ignores, though it asks for another server, another password or more protection; and what to do
 * instead. The storage refuses the same.
 */
export const ignoredParameters: Readonly<Record<string, string>> = {
  service: "pg_service.conf is not read: name the host, the user and the database",
  hostaddr: "connections go to the host: name the address in its place",
  passfile: "only PGPASSFILE names the file of passwords: set that instead",
  sslpassword: "the key's file can't be encrypted: name one without a password with sslkey",
  sslcrl: "no list of revoked certificates is read: leave it out, and trust only an authority of your own",
  sslcrldir: "no list of revoked certificates is read: leave it out, and trust only an authority of your own",
  require_auth:
    "the server chooses how it asks for the password: leave it out, and protect it with sslmode=verify-full",
  requirepeer:
    "who runs the server at a socket is not checked: leave it out, and use a folder that only the server may write",
};

/**
 * Reads a URL of PostgreSQL, with the TLS mode that `pg` takes it for. Throws an Error that describes the fault, without what may hold a password. Refused is also
 * what `pg` would ignore, though it asks for another server, other tables or another protection.
 */
export function postgresUrl(value: string): string {
  if (!/^postgres(?:ql)?:\/\//i.test(value)) throw new Error("must begin with postgres:// or postgresql://");
  const [, hosts = ""] = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(value) ?? [];
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(value)?.[1]);
  const host = parameters.get("host") ?? "";
  // A parameter "host" may be the folder of a socket instead.
  if (hosts.includes(",") || (host.includes(",") && !host.startsWith("/")))
    throw new Error(
      "names several hosts, but connections go to one: name what leads to the primary, such as a proxy or a DNS name",
    );
  if (!URL.canParse(withHost(value))) throw new Error(urlFault(value));
  if (!targets.includes(parameters.get("target_session_attrs") ?? "any"))
    throw new Error("asks for a standby, which takes no writes: leave target_session_attrs out");
  const sslMode = parameters.get("sslmode") ?? "disable";
  if (!sslModes.includes(sslMode))
    throw new Error(`has an unknown sslmode: it must be ${sslModes.slice(0, -1).join(", ")} or no-verify`);
  const namesSchema = (parameters.get("schema") ?? "posthorn") !== "posthorn";
  if (namesSchema || /\bsearch_path\b/.test(parameters.get("options") ?? ""))
    throw new Error(
      'names a schema, but the tables are always in the schema "posthorn": leave it out; a second service needs a database of its own',
    );
  for (const [name, instead] of Object.entries(ignoredParameters))
    if (parameters.has(name)) throw new Error(`has ${name}, but ${instead}`);
  if (parameters.get("sslrootcert") === "system")
    throw new Error(
      "has sslrootcert=system, but it must be a file: leave it out for the authorities that Node trusts, or name the system's file",
    );
  return parameters.has("uselibpqcompat") ? value : value.replace(weakModes, "$1verify-full");
}

/** What `pg` takes for `verify-full`, with ten lines on standard error each time: its next version will check less. */
const weakModes = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/;

/** A database's URL with the host that it leaves out if its parameter `host` names a socket's folder. */
export function withHost(databaseUrl: string): string {
  return databaseUrl.replace("@/", "@localhost/");
}

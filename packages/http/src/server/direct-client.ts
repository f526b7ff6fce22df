import type { Client, RequestOptions, RouteSignature } from "@posthorn/client";
import type { FileView } from "@posthorn/core";
import { checkOptions, isJsonObject, type OptionChecks } from "@posthorn/core/internal";
import { routes } from "../contract/routes/index.ts";
import { parseSignature } from "../contract/signature.ts";
import { assertService } from "./mount-checks.ts";
import { wrap } from "./replies/wrap.ts";
import { type BoundRoute, bindRoute } from "./routing/bind-route.ts";
import { runRoute } from "./routing/run-route.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";

/** Caller of a direct client, and its workspace. */
export interface DirectClientOptions {
  /** Name of the operator in the event log. */
  operator: string;
  /** Workspace for routes that act on one. */
  workspaceId?: number | undefined;
}

/** A client that calls the service of this process as its operator. */
export interface DirectClient {
  /** Calls a route, as over HTTP. Rejects with a `ServiceError` in wire names. */
  request: Client["request"];
  /** Makes a dry run of a route that has one. */
  dryRun: Client["dryRun"];
  /** Returns the chunks of the file that a route responds with. */
  download: Client["download"];
  /** Returns the same client for another workspace. */
  with(options: Partial<DirectClientOptions>): DirectClient;
}

const clientOptions: OptionChecks<DirectClientOptions> = {
  operator: ["a name", (value) => typeof value === "string" && value !== ""],
  workspaceId: ["a workspace's number", Number.isSafeInteger],
};

/** Under another name, a key would protect from nothing. */
const requestOptions: OptionChecks<RequestOptions> = {
  idempotencyKey: true,
  onDeduplicated: true,
  onReplayed: true,
  signal: true,
};

/**
 * Creates a client that bypasses HTTP: the same lines of the contract and the same names in input and output, but no
 * credentials, because the holder of the service may do everything that needs no person. Throws a `TypeError` that
 * names an invalid option.
 */
export function createDirectClient(
  posthorn: Pick<ServedPosthorn, "execute">,
  options: DirectClientOptions,
): DirectClient {
  assertService("createDirectClient", posthorn);
  checkOptions("createDirectClient", options, clientOptions);
  if (options.operator === undefined)
    throw new TypeError("createDirectClient needs operator, the name that the event log shows");
  const { operator, workspaceId } = options;
  const call = {
    caller: { kind: "operator" as const, name: operator },
    client: { ip: "", userAgent: "" },
    workspaceId,
  };
  const tell = async (
    signature: RouteSignature,
    fields: Record<string, unknown>,
    { idempotencyKey, isDryRun }: Asked,
  ): ReturnType<typeof runRoute> => {
    const found = bindSignature(signature);
    const bound = ("content" in fields && found.listFile) || found;
    const sources = { ...sourcesOf(bound, fields), idempotencyKey };
    const query = isDryRun ? "dry_run=true" : sources.query;
    return await runRoute(posthorn, bound, { sources: { ...sources, query }, call });
  };
  const ask = async (...asked: Parameters<typeof tell>): Promise<never> => {
    const { route, outcome } = await tell(...asked);
    if (route.envelope === "file") return (await bytesOf(outcome as FileView)) as never;
    if (route.envelope === "none") return undefined as never;
    const { headers, body } = wrap(route, outcome);
    if (headers["posthorn-deduplicated"] === "true") asked[2].onDeduplicated?.();
    if (headers["idempotent-replayed"] === "true") asked[2].onReplayed?.();
    const { data, pagination } = body;
    return (pagination === undefined ? data : { data, pagination }) as never;
  };
  return {
    request: async (signature, ...[fields, given = {}]) => {
      checkOptions("request", given, requestOptions);
      const { idempotencyKey, onDeduplicated, onReplayed } = given;
      return ask(signature, fields ?? {}, { idempotencyKey, onDeduplicated, onReplayed, isDryRun: false });
    },
    dryRun: (signature, fields) => ask(signature, fields, { isDryRun: true }),
    async *download(signature, fields) {
      const { outcome } = await tell(signature, fields, { isDryRun: false });
      yield* (outcome as FileView).content;
    },
    with: (more) => createDirectClient(posthorn, { ...options, ...more }),
  };
}

interface Asked extends Pick<RequestOptions, "idempotencyKey" | "onDeduplicated" | "onReplayed"> {
  isDryRun: boolean;
}

function bindSignature(signature: RouteSignature): BoundRoute {
  const found = routes.find((route) => route.signature === signature);
  if (found === undefined) throw new TypeError(`There is no route ${signature}.`);
  return bindRoute(found);
}

/** Puts the fields where a request would have them. */
function sourcesOf({ route, takesBody, takesFile }: BoundRoute, fields: Record<string, unknown>) {
  const names = parseSignature(route.signature).params;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const params = Object.fromEntries(given.filter(([name]) => names.includes(name)).map(asText));
  const open = given.filter(([name]) => !names.includes(name));
  if (takesFile) {
    const { content, content_type: contentType, size, ...named } = Object.fromEntries(open);
    const query = new URLSearchParams(Object.entries(named).map(asText)).toString();
    const said = Object.entries({ contentType, size }).filter(([, value]) => value !== undefined);
    return { params, query, body: { content, ...Object.fromEntries(said) } };
  }
  return takesBody
    ? { params, query: "", body: Object.fromEntries(open) }
    : { params, query: new URLSearchParams(open.flatMap(asQuery)).toString(), body: undefined };
}

const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];

/** A record as one entry per key, `metadata[order]`. */
const asQuery = ([name, value]: [string, unknown]): [string, string][] =>
  isJsonObject(value)
    ? Object.entries(value).map(([key, text]) => [`${name}[${key}]`, String(text)])
    : [asText([name, value])];

/** The bytes of a file in one piece, as over HTTP. */
async function bytesOf({ content }: FileView): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Uint8Array.from(Buffer.concat(pieces));
}

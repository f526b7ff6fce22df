import { type Attempting, askRepeatedly } from "./ask-repeatedly.ts";
import { checkCall, checkClient, checkHeaders, checkInUrl, checkUrl } from "./check-arguments.ts";
import {
  type Contract,
  deletesWithBody,
  filesAsBody,
  listsAsBody,
  queried,
  repeatable,
  takesEither,
} from "./contract/index.ts";
import type { Email, Event } from "./contract/schemas.ts";
import { type ClientFollowOptions, type FollowFields, readEvents, streamRoute } from "./follow-events.ts";
import { listItems } from "./list-items.ts";
import type { PageOf } from "./page-of.ts";
import { type Reading, readPieces } from "./read-pieces.ts";
import { foreignAnswer, hasType, isFile, readReply } from "./read-reply.ts";

/** Routes of the contract that a client can request. */
export type RouteSignature = keyof Contract;

/** Input of a route: the path's parameters and the fields of body or query, named as in the API. */
export type RequestFields<S extends RouteSignature> = Contract[S]["fields"];

/** Response of a route: the data without their envelope. */
export type Reply<S extends RouteSignature> = Contract[S]["reply"];

/** Routes that can be tried without effects. */
export type TriedSignature = {
  [S in RouteSignature]: Contract[S] extends { dryRun: unknown } ? S : never;
}[RouteSignature];

/** Response to a dry run of a route. */
export type DryRunOf<S extends TriedSignature> = Contract[S] extends { dryRun: infer D } ? D : never;

/** Routes that return a file. */
export type FileSignature = {
  [S in RouteSignature]: Contract[S] extends { reply: Uint8Array } ? S : never;
}[RouteSignature];

/** Type of the items in a list. */
export type Item<S extends RouteSignature> =
  Reply<S> extends PageOf<infer T> ? T : Reply<S> extends readonly (infer T)[] ? T : never;

/** An e-mail to send, from a template of the workspace or with its own content. */
export type Mail = RequestFields<"POST /emails/send-template"> | RequestFields<"POST /emails/send">;

/** Credentials of a client, of which each route uses those it needs, with its timeouts and retries. */
export interface ClientOptions {
  /** A workspace's API key, for `/emails` and `/attachments`. */
  apiKey?: string | undefined;
  /** Session token, for all other routes. `POST /workspaces/current/inbound` takes the key of a client without a token. */
  token?: string | undefined;
  /** The workspace's id, for `/workspaces/current`. A key's need not be named; a request that names another is refused. */
  workspaceId?: number | undefined;
  /**
   * Maximum number of retries after a network failure or a temporary refusal, if a repetition is harmless. Default 2.
   */
  retries?: number | undefined;
  /**
   * Timeout of each attempt in ms. Default 30,000; an upload has 8 s more for each 64 KiB. That of a file, and of events,
   * is for its beginning, and for the time between two pieces; of events at least 30,000 there, as while there are none, a
   * piece comes every 15 s.
   */
  timeoutMs?: number | undefined;
  /** The function `fetch`. Default: the platform's. */
  fetch?: typeof fetch | undefined;
}

const optionTypes: Record<keyof ClientOptions, string> = {
  apiKey: "string",
  token: "string",
  workspaceId: "number",
  retries: "number",
  timeoutMs: "number",
  fetch: "function",
};

/** Options of a single request. */
export interface RequestOptions {
  /** Makes a send repeatable: the same key and fields get the first answer again. Default: a new key for each call. */
  idempotencyKey?: string | undefined;
  /** Called if nothing new was sent: the answer is the e-mail sent before with the same `dedupe_key`. */
  onDeduplicated?: (() => void) | undefined;
  /**
   * Called if nothing new was sent: the answer is the first one to the same `idempotencyKey`. So it may be after a retry
   * of this call.
   */
  onReplayed?: (() => void) | undefined;
  /** Aborts the request. */
  signal?: AbortSignal | undefined;
}

/** A client of the HTTP API. */
export interface Client {
  /** Requests a route of the contract. Rejects with an {@link ApiError} for every refusal. */
  request<S extends RouteSignature>(
    this: void,
    signature: S,
    ...rest: Record<never, never> extends RequestFields<S>
      ? [fields?: RequestFields<S>, options?: RequestOptions]
      : [fields: RequestFields<S>, options?: RequestOptions]
  ): Promise<Reply<S>>;
  /**
   * Sends an e-mail, from a template or with its own content; the e-mail is on the server's disk when the promise
   * resolves.
   */
  send(this: void, mail: Mail, options?: RequestOptions): Promise<Email>;
  /** Returns what a request would do, with every reason against it. Nothing is sent. */
  dryRun<S extends TriedSignature>(
    this: void,
    signature: S,
    fields: RequestFields<S>,
    options?: Pick<RequestOptions, "signal">,
  ): Promise<DryRunOf<S>>;
  /** Returns the file of a route as a stream: whatever its size, only one chunk is in memory at a time. */
  download<S extends FileSignature>(
    this: void,
    signature: S,
    fields: RequestFields<S>,
    options?: Pick<RequestOptions, "signal">,
  ): AsyncGenerator<Uint8Array, void, undefined>;
  /** Iterates over all items of a list and fetches its pages on demand, of 100 items unless `size` is given. */
  list<S extends RouteSignature>(
    this: void,
    signature: S,
    fields?: Omit<RequestFields<S>, "page">,
    options?: Pick<RequestOptions, "signal">,
  ): AsyncGenerator<Item<S>, void, undefined>;
  /**
   * Follows the platform's events, for administrators, until the signal is aborted. Rejects if the server can't be
   * reached or the connection ends; to miss nothing, follow again after the last id seen.
   */
  follow(
    this: void,
    fields?: FollowFields,
    options?: ClientFollowOptions,
  ): AsyncGenerator<Event, void, undefined>;
  /** Returns the same client with other options. */
  with(this: void, options: ClientOptions): Client;
}

/**
 * Creates a client. `url` is the service's, without `/api/v1`; in a page, its path if it is the page's own server.
 * Throws a `TypeError` for any other URL, an unknown option, or one of another type; its methods reject with a
 * `TypeError` for arguments of another type, and for a path where there is no page.
 */
export function createClient(url: string, options: ClientOptions = {}): Client {
  checkClient(url, options, optionTypes);
  const ask = async (
    signature: string,
    fields: Record<string, unknown> = {},
    requestOptions: RequestOptions = {},
  ): Promise<unknown> => {
    const call = attempting(url, signature, { fields, options, requestOptions });
    const answer = await askRepeatedly(call);
    if (answer.headers.get("posthorn-deduplicated") === "true") requestOptions.onDeduplicated?.();
    if (answer.headers.get("idempotent-replayed") === "true") requestOptions.onReplayed?.();
    return await readReply(answer, call.lacks);
  };
  return {
    request: (signature, ...[fields, requestOptions]) => ask(signature, fields, requestOptions) as never,
    send: (mail, requestOptions) =>
      ask(
        Object(mail).template === undefined ? "POST /emails/send" : "POST /emails/send-template",
        mail,
        requestOptions,
      ) as never,
    dryRun: async (signature, fields, requestOptions) =>
      (await ask(signature, { ...fields, dry_run: true }, requestOptions)) as never,
    download: (signature, fields: Record<string, unknown> = {}, requestOptions = {}) =>
      download(() => attempting(url, signature, { fields, options, requestOptions }), isFile),
    list: (signature, fields, requestOptions) =>
      listItems(
        async (page) => ask(signature, { ...fields, ...page }, requestOptions),
        signature,
        Object(fields).size,
      ) as never,
    follow: (fields = {}, requestOptions = {}) => {
      const { signal, onGap } = Object(requestOptions) as ClientFollowOptions;
      const asked = { fields: fields as Record<string, unknown>, options, requestOptions };
      const pieces = download(
        () => {
          const call = attempting(url, streamRoute, asked);
          return { ...call, silenceMs: Math.max(call.timeoutMs, minEventSilenceMs) };
        },
        (response) => hasType(response, "text/event-stream"),
      );
      return readEvents(pieces, { waits: Object(fields).wait !== false, signal, onGap });
    },
    with: (more) => createClient(url, { ...options, ...more }),
  };
}

/** Two of the server's heartbeats: a shorter silence is that of a stream without events. */
const minEventSilenceMs = 30_000;

async function* download(
  asked: () => Calling,
  isWanted: (response: Response) => boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  const call = asked();
  const response = await askRepeatedly({ ...call, isDownload: true });
  if (!response.ok) await readReply(response, call.lacks);
  if (!isWanted(response)) {
    await response.body?.cancel();
    throw foreignAnswer(response);
  }
  yield* readPieces(response, call);
}

interface Asked {
  fields: Record<string, unknown>;
  options: ClientOptions;
  requestOptions: RequestOptions;
}

/** Encodes a field for a query: an object as one entry per key, `metadata[order]=7`; a `Date` as in JSON. */
const asQuery = ([name, given]: [string, unknown]): [string, unknown][] => {
  // A `Date` has no entries: a list would not be filtered. An invalid one is null in JSON; as a text it is refused.
  const value: unknown =
    typeof Object(given).toJSON === "function" ? (Object(given).toJSON() ?? String(given)) : given;
  return typeof value === "object" && value !== null
    ? Object.entries(value).map(([key, text]) => [`${name}[${key}]`, text])
    : [[name, value]];
};

/** A call, with the option that its credential would be, if it has none. */
interface Calling extends Attempting, Reading {
  lacks: "apiKey" | "token" | undefined;
}

/** Makes the HTTP request of one call, and decides whether it may be retried. */
function attempting(url: string, signature: string, { fields, options, requestOptions }: Asked): Calling {
  checkCall(signature, fields, requestOptions);
  // Not when a client is created: a server may load a page's code.
  checkUrl(url, options.fetch);
  const [method = "", path = ""] = signature.split(" ");
  const named = new Set<string>(path.match(/\w+(?=\})/g));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  const open = Object.entries(fields).filter(([name, value]) => !named.has(name) && value !== undefined);
  const takesKey =
    /^\/(?:emails|attachments)\b/.test(path) || (takesEither.includes(signature) && !options.token);
  const credential = takesKey ? "apiKey" : "token";
  const { [credential]: secret, workspaceId } = options;
  const headers: Record<string, string> = secret ? { authorization: `Bearer ${secret}` } : {};
  if ((takesKey || path.startsWith("/workspaces/current")) && workspaceId !== undefined)
    headers["x-service-workspace-id"] = String(workspaceId);
  const isRepeatable = repeatable.includes(signature);
  if (isRepeatable) headers["idempotency-key"] = requestOptions.idempotencyKey ?? newKey();
  const takesBody = !/^(GET|DELETE)$/.test(method) || deletesWithBody.includes(signature);
  if (takesBody) headers["content-type"] = "application/json";
  const inQuery = ([name]: [string, unknown]): boolean =>
    !takesBody || name === "dry_run" || queried[signature]?.includes(name) === true;
  const asked = open.filter(inQuery).flatMap(asQuery);
  for (const [name, value] of asked) checkInUrl(signature, name, value);
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
  const body = Object.fromEntries(open.filter((field) => !inQuery(field)));
  const isFile =
    filesAsBody.includes(signature) || (listsAsBody.includes(signature) && body.content !== undefined);
  const content = isFile ? fileOf(body, headers) : takesBody ? { body: JSON.stringify(body) } : {};
  checkHeaders(headers);
  return {
    url: `${url.replace(/\/+$/, "")}/api/v1${filled}${query === "" ? "" : `?${query}`}`,
    init: { method, headers, ...content },
    isHarmless: isRepeatable || method === "GET" || method === "PUT",
    // A stream can't be sent again.
    retries: isFile && !isAtHand(body.content) ? 0 : (options.retries ?? 2),
    timeoutMs: options.timeoutMs ?? 30_000,
    fetch: options.fetch ?? fetch,
    signal: requestOptions.signal,
    lacks: secret ? undefined : credential,
  };
}

/** A page loaded without TLS has no `randomUUID`. */
const newKey = (): string => crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Returns the body of an upload, which is sent unchanged. */
function fileOf(
  { content, content_type: type = "application/octet-stream" }: Record<string, unknown>,
  headers: Record<string, string>,
): RequestInit {
  headers["content-type"] = String(type);
  // A stream is sent while it is read, which fetch allows only with this option.
  return { body: content, duplex: "half" } as RequestInit;
}

const isAtHand = (content: unknown): boolean =>
  typeof content === "string" || content instanceof Uint8Array || content instanceof Blob;

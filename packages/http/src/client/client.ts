import type { z } from "zod";
import type { routes } from "../contract/routes/index.ts";
import { type ParamsOf, parseSignature, takesBody } from "../contract/signature.ts";
import type { SnakeCase, WireOf } from "../contract/wire-names.ts";

type Routes = (typeof routes)[number];

/** The lines of the contract that a client can ask for. */
export type RouteSignature = Routes["signature"];

type RouteOf<S extends RouteSignature> = Extract<Routes, { signature: S }>;

type WireInput<S extends RouteSignature> = WireOf<z.input<RouteOf<S>["useCase"]["input"]>>;

/** The wire's names of the fields that come in the path or a header. */
type ElsewhereOf<S extends RouteSignature> =
  | SnakeCase<ParamsOf<S>>
  | SnakeCase<NamesIn<RouteOf<S>["params"]>>
  | "idempotency_key";

type NamesIn<P> = keyof P extends never ? never : P[keyof P] & string;

/** The path's parameters by their names in the path, the body's or query's fields by the wire's names. */
export type RequestFields<S extends RouteSignature> = Omit<WireInput<S>, ElsewhereOf<S>> & {
  [K in ParamsOf<S>]: string | number;
};

type ReplyData<S extends RouteSignature> = z.output<RouteOf<S>["reply"]["schema"]>;

/** What a page of a list answers. */
export interface PageOf<T> {
  data: T[];
  pagination: { page: number; size: number; total: number; total_pages: number };
}

/** What a request answers: the data without their envelope. */
export type Reply<S extends RouteSignature> = RouteOf<S>["envelope"] extends "page"
  ? PageOf<ReplyData<S>>
  : RouteOf<S>["envelope"] extends "none"
    ? undefined
    : ReplyData<S>;

/** A client's credentials; each route takes those that it needs. */
export interface ClientOptions {
  /** The token of a login. */
  token?: string;
  /** For `/emails`. */
  apiKey?: string;
  /** For `/workspaces/current`. */
  workspaceId?: number;
  /** Default: the platform's. */
  fetch?: typeof fetch;
}

/** What a single request can be given. */
export interface RequestOptions {
  /** Makes a send repeatable: the same key and fields get the first answer again. */
  idempotencyKey?: string;
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** A client for the interface. */
export interface Client {
  /** Asks for a line of the contract. Rejects with an {@link ApiError} for every refusal. */
  request<S extends RouteSignature>(
    signature: S,
    ...rest: Record<never, never> extends RequestFields<S>
      ? [fields?: RequestFields<S>, options?: RequestOptions]
      : [fields: RequestFields<S>, options?: RequestOptions]
  ): Promise<Reply<S>>;
  /** The same client with other credentials. */
  with(options: ClientOptions): Client;
}

/** A refusal. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  /** One of the codes of decisions §1; empty where the answer was none of ours. */
  readonly code: string;
  readonly details: unknown;
  readonly requestId: string;
  constructor(
    status: number,
    said: { code?: string; message?: string; details?: unknown },
    requestId: string,
  ) {
    super(said.message ?? `The server answered ${status}.`);
    this.status = status;
    this.code = said.code ?? "";
    this.details = said.details;
    this.requestId = requestId;
  }
}

/** Makes a client, typed by the same table that the server answers by. `url` is the service's, without `/api/v1`. */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const base = `${url.replace(/\/+$/, "")}/api/v1`;
  return {
    async request(signature, ...[fields, requestOptions]) {
      const call = fetchOf(base, signature, {
        fields: fields ?? {},
        options,
        requestOptions: requestOptions ?? {},
      });
      const response = await (options.fetch ?? fetch)(call.url, call.init);
      return readReply(response) as never;
    },
    with: (more) => createClient(url, { ...options, ...more }),
  };
}

interface Asked {
  fields: Record<string, unknown>;
  options: ClientOptions;
  requestOptions: RequestOptions;
}

function fetchOf(
  base: string,
  signature: RouteSignature,
  { fields, options, requestOptions }: Asked,
): { url: string; init: RequestInit } {
  const { method, path, params } = parseSignature(signature);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  const open = Object.entries(fields).filter(
    ([name, value]) => !params.includes(name) && value !== undefined,
  );
  const headers = headersFor(path, options);
  if (requestOptions.idempotencyKey !== undefined) headers["idempotency-key"] = requestOptions.idempotencyKey;
  const init: RequestInit = { method, headers, signal: requestOptions.signal ?? null };
  if (takesBody(signature)) {
    headers["content-type"] = "application/json";
    return { url: `${base}${filled}`, init: { ...init, body: JSON.stringify(Object.fromEntries(open)) } };
  }
  const query = new URLSearchParams(
    Object.fromEntries(open.map(([name, value]) => [name, String(value)])),
  ).toString();
  return { url: `${base}${filled}${query === "" ? "" : `?${query}`}`, init };
}

function headersFor(path: string, { token, apiKey, workspaceId }: ClientOptions): Record<string, string> {
  const credential = path.startsWith("/emails") ? apiKey : token;
  const needsWorkspace = path.startsWith("/workspaces/current") && workspaceId !== undefined;
  return {
    ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    ...(needsWorkspace ? { "x-service-workspace-id": String(workspaceId) } : {}),
  };
}

async function readReply(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const body = (await response.json().catch(() => ({}))) as {
    data?: unknown;
    pagination?: unknown;
    error?: { code?: string; message?: string; details?: unknown };
  };
  if (!response.ok) {
    throw new ApiError(response.status, body.error ?? {}, response.headers.get("x-request-id") ?? "");
  }
  return body.pagination === undefined ? body.data : { data: body.data, pagination: body.pagination };
}

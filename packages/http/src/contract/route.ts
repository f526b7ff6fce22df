import type { Access, ErrorCode, OutputOf, Way } from "@posthorn/core";
import { assertSchema } from "@posthorn/core/internal";
import type { z } from "zod";
import { type Method, parseSignature, type Signature } from "./signature.ts";

/** Any use case declared with core's `useCase`. */
export interface AnyUseCase {
  /** The kind of access that callers need, or several kinds. */
  access: Access;
  /** The use case's own error codes. */
  refusals?: readonly ErrorCode[];
  /** Schema of the call's input. */
  input: z.ZodType;
  /** Whether the use case itself waits until the caller is authenticated. */
  confirmsCaller?: boolean;
  /** Runs the use case. */
  run: (...args: never[]) => Promise<unknown>;
}

/**
 * Envelope of a response (decisions §1): `{data}`, `{success, data}`, the same with `pagination`, or no body. A `file`
 * is sent as bytes, as a download that no browser displays.
 */
export type Envelope = "data" | "success" | "page" | "none" | "file";

/** Wire form of a value: its schema, and the mapper that makes it. */
export interface Wire<T, R extends z.ZodType = z.ZodType> {
  /** Schema of the wire form, with a description of each field. */
  schema: R;
  /** Makes the wire form from the service's result. */
  from: (value: T) => z.input<R>;
}

/**
 * Declares a wire form. A mapper that leaves out a field does not compile. Throws a `TypeError` unless the schema is one
 * of zod 4.
 */
export function wire<R extends z.ZodType, T>(schema: R, from: (value: T) => z.input<R>): Wire<T, R> {
  assertSchema("wire's first argument", schema);
  return { schema, from };
}

/** Part of a use case's result that the wire form is made from: each item of a page, otherwise the whole result. */
type Wrapped<E extends Envelope, O> = E extends "page"
  ? O extends { items: readonly (infer T)[] }
    ? T
    : never
  : O;

/** A request body that is a single field. */
export interface RawBody {
  /** Media type of the body; the field may also come in JSON. `*`: any type, and no JSON form. */
  type: string;
  /** Key of the field in the use case's input. */
  field: string;
  /** Key in the use case's input for the request's header fields, if it takes them. */
  headers?: string;
}

/** Dry run of a route. */
export interface DryRun {
  /** Use case that runs instead of the route's own. */
  useCase: AnyUseCase;
  /** Wire form of its result. */
  reply: { schema: z.ZodType; from: (value: never) => unknown };
}

/** A second format of a response, for callers whose `Accept` prefers its type, by name, to the usual one. */
export interface SecondFormat {
  /** The media type that is named. */
  type: string;
  /** The usual media type. */
  insteadOf: string;
  /** The field of the query that requests the format, and its value. */
  query: { name: string; value: string };
}

/** A second kind of success response. */
export interface Otherwise<O> {
  /** Status of the response. */
  status: number;
  /** Description of the status. Default: "It was there already". */
  words?: string;
  /** Additional response headers. */
  headers?: Readonly<Record<string, string>>;
  /** Whether a result gets this response. */
  when: (outcome: O) => boolean;
}

/** The kind of access that a route is for; required if its use case has several. */
type By<U extends AnyUseCase> = U["access"] extends readonly (infer W)[] ? { by: W } : { by?: never };

/** Response of a route, and what it accepts besides its use case's input. */
export interface RouteOptions<E extends Envelope, R extends z.ZodType, O, P> {
  /** Short summary for the API reference. */
  summary: string;
  /** Whether a route for a role accepts a workspace's API key as well, as its use case must. Default false. */
  takesKey?: boolean;
  /** Status of a success. Default 200. */
  status?: number;
  /** Second kind of success response, such as 200 for something that already existed. */
  otherwise?: Otherwise<O>;
  /** Envelope of the response. Default `success`. */
  envelope?: E;
  /** Wire form of the result, or of each item of a page. */
  reply: Wire<Wrapped<E, O>, R>;
  /** Path parameters that the use case knows by another name: `{ id: "templateId" }`. */
  params?: P;
  /** Maximum size of the body, in bytes. Default 256 KiB, or 16 KiB if no authentication is needed. */
  maxBytes?: number;
  /** Maximum number of values in the JSON of the body. Default 100,000. */
  maxValues?: number;
  /** A body other than JSON, passed on as one field, one character per byte. */
  raw?: RawBody;
  /** The use case for a body that is a list in a file, CSV or NDJSON, instead of JSON; the response is the same. */
  listFile?: AnyUseCase;
  /** Whether the header `Idempotency-Key` is passed on as `idempotencyKey` (decisions §7). */
  idempotent?: boolean;
  /** The use case for the query `dry_run=true`, with the same input; the response has status 200. */
  dryRun?: DryRun;
  /** A second format of the response, which `Accept` may request instead of the query. */
  secondFormat?: SecondFormat;
  /**
   * Number of the first page on the wire. 1: pages are counted from 1, and 0 also returns the first (decisions §1).
   * Default 0.
   */
  pagesFrom?: 1;
  /** Statuses of error codes that differ from the usual ones. */
  statuses?: Partial<Record<ErrorCode, number>>;
}

/** A line of the contract. `access` determines which credentials it needs. */
export interface Route<
  S extends Signature = Signature,
  I extends z.ZodType = z.ZodType,
  E extends Envelope = Envelope,
  R extends z.ZodType = z.ZodType,
  P extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
> {
  /** Method and path, as clients write them: `POST /templates/{id}`. */
  signature: S;
  /** HTTP method of the signature. */
  method: Method;
  /** Path below `/api/v1`. */
  path: string;
  /** The use case; its type covers only the input. */
  useCase: AnyUseCase & { input: I };
  /** Kind of access that callers need. */
  access: Way;
  /** Whether a workspace's API key is accepted as well as a role. */
  takesKey: boolean;
  /** Short summary for the API reference. */
  summary: string;
  /** Status of a success. */
  status: number;
  /** Second kind of success response. */
  otherwise: Otherwise<never> | undefined;
  /** Envelope of the response. */
  envelope: E;
  /** Wire form of the result, or of each item of a page. */
  reply: { schema: R; from: (value: never) => unknown };
  /** Key in the use case's input for each path parameter. */
  params: P;
  /** Maximum size of the body, in bytes. */
  maxBytes: number;
  /** Maximum number of values in the JSON of the body; `undefined` means 100,000. */
  maxValues: number | undefined;
  /** A body other than JSON, passed on as one field. */
  raw: RawBody | undefined;
  /** Use case for a body that is a list in a file. */
  listFile: AnyUseCase | undefined;
  /** Whether the header `Idempotency-Key` is passed on (decisions §7). */
  idempotent: boolean;
  /** Use case for the query `dry_run=true`. */
  dryRun: DryRun | undefined;
  /** A second format of the response, which `Accept` may request. */
  secondFormat: SecondFormat | undefined;
  /** Number of the first page on the wire. */
  pagesFrom: 0 | 1;
  /** Statuses of error codes that differ from the usual ones. */
  statuses: Partial<Record<ErrorCode, number>>;
}

const kibibyte = 1024;

/** Declares a route. Throws a `TypeError` for a path parameter that is not a field of the use case's input. */
export function route<
  S extends Signature,
  U extends AnyUseCase,
  R extends z.ZodType,
  E extends Envelope = "success",
  const P extends Readonly<Record<string, string>> = Record<never, string>,
>(
  signature: S,
  useCase: U,
  options: RouteOptions<E, R, OutputOf<U>, P> & By<U>,
): Route<S, U["input"], E, R, P> {
  const { method, path, params } = parseSignature(signature);
  const access = wayOf(useCase.access, options.by);
  const named: Partial<Record<string, string>> = options.params ?? {};
  return {
    signature,
    method,
    path,
    useCase,
    access,
    takesKey: options.takesKey ?? false,
    summary: options.summary,
    status: options.status ?? 200,
    otherwise: options.otherwise,
    envelope: (options.envelope ?? "success") as E,
    reply: options.reply as Route<S, U["input"], E, R, P>["reply"],
    params: Object.fromEntries(params.map((name) => [name, named[name] ?? camelCase(name)])) as unknown as P,
    maxBytes: options.maxBytes ?? (access === "anonymous" ? 16 : 256) * kibibyte,
    maxValues: options.maxValues,
    raw: options.raw,
    listFile: options.listFile,
    idempotent: options.idempotent ?? false,
    dryRun: options.dryRun,
    secondFormat: options.secondFormat,
    pagesFrom: options.pagesFrom ?? 0,
    statuses: options.statuses ?? {},
  };
}

/**
 * Returns the route's kind of access: the given one, or the use case's only one. Throws a `TypeError` for one that the
 * use case does not allow.
 */
function wayOf(access: Access, by: unknown): Way {
  if (typeof access === "string") return access;
  const way = access.find((one) => one === by);
  if (way === undefined) throw new TypeError(`say by which way the route is entered: ${access.join(", ")}`);
  return way;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

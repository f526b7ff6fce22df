import type { Access, ErrorCode, OutputOf, Way } from "@posthorn/core";
import type { z } from "zod";
import { type Method, parseSignature, type Signature } from "./signature.ts";

/** Anything declared with core's `useCase`. */
export interface AnyUseCase {
  /** Who may call it: one kind of access, or several. */
  access: Access;
  /** The codes of its own that it refuses with. */
  refusals?: readonly ErrorCode[];
  /** What the call takes. */
  input: z.ZodType;
  /** Whether it waits itself until it is sure of the caller. */
  confirmsCaller?: boolean;
  /** Does the work. */
  run: (...args: never[]) => Promise<unknown>;
}

/**
 * How an answer is wrapped (decisions §1): `{data}`, `{success, data}`, the same with `pagination`, or no body; a `file` is its
 * bytes, to be saved and never shown.
 */
export type Envelope = "data" | "success" | "page" | "none" | "file";

/** How something looks on the wire, and how it is made. */
export interface Wire<T, R extends z.ZodType = z.ZodType> {
  /** The shape on the wire, with each field described. */
  schema: R;
  /** Makes it of the service's answer. */
  from: (value: T) => z.input<R>;
}

/** Declares how something looks on the wire; a field left out of the mapper does not compile. */
export function wire<R extends z.ZodType, T>(schema: R, from: (value: T) => z.input<R>): Wire<T, R> {
  return { schema, from };
}

/** What of a use case's outcome an envelope's wire is given: each item of a page, otherwise the whole. */
type Wrapped<E extends Envelope, O> = E extends "page"
  ? O extends { items: readonly (infer T)[] }
    ? T
    : never
  : O;

/** A body that is one field. */
export interface RawBody {
  /** The media type that it comes as; the same field may come in JSON as well. `*`: whatever type, and nothing but this. */
  type: string;
  /** The use case's key. */
  field: string;
  /** The use case's key for the request's header fields, where it wants them. */
  headers?: string;
}

/** The dry run of a route. */
export interface DryRun {
  /** The use case that runs instead of the route's own. */
  useCase: AnyUseCase;
  /** The wire form of its result. */
  reply: { schema: z.ZodType; from: (value: never) => unknown };
}

/** Another way of answering. */
export interface Otherwise<O> {
  /** The status of the answer. */
  status: number;
  /** What the status says. Default: that it was there already. */
  words?: string;
  /** Header fields besides the usual ones. */
  headers?: Readonly<Record<string, string>>;
  /** For which outcomes. */
  when: (outcome: O) => boolean;
}

/** Which of its use case's ways a route is; said where there are several. */
type By<U extends AnyUseCase> = U["access"] extends readonly (infer W)[] ? { by: W } : { by?: never };

/** How a route responds, and what it accepts besides its use case's input. */
export interface RouteOptions<E extends Envelope, R extends z.ZodType, O, P> {
  /** A few words for the reference. */
  summary: string;
  /** Default 200. */
  status?: number;
  /** Where an outcome is answered with another status, such as 200 for what was there already. */
  otherwise?: Otherwise<O>;
  /** Default `success`. */
  envelope?: E;
  /** The wire form of the result, or of each item of a page. */
  reply: Wire<Wrapped<E, O>, R>;
  /** Path parameters that the use case knows by another name: `{ id: "templateId" }`. */
  params?: P;
  /** Maximum size of the body in bytes. Default 256 KiB, or 16 KiB if no authentication is needed. */
  maxBytes?: number;
  /** Values that the JSON of the body may hold. Default 100,000. */
  maxValues?: number;
  /** Another body than JSON, whose bytes are handed on as one field, a character a byte. */
  raw?: RawBody;
  /** The use case for a body that is a list in a file, CSV or NDJSON, instead of JSON; the response is the same. */
  listFile?: AnyUseCase;
  /** Whether the header `Idempotency-Key` is handed on as `idempotencyKey` (decisions §7). */
  idempotent?: boolean;
  /** The use case for the query `dry_run=true`, with the same input; the response has status 200. */
  dryRun?: DryRun;
  /** Where pages are counted from 1 on the wire, and 0 answers the first as well (decisions §1). Default: from 0. */
  pagesFrom?: 1;
  /** Where an error has another status than usual. */
  statuses?: Partial<Record<ErrorCode, number>>;
}

/** One line of the contract. The credentials it needs are read from `access`. */
export interface Route<
  S extends Signature = Signature,
  I extends z.ZodType = z.ZodType,
  E extends Envelope = Envelope,
  R extends z.ZodType = z.ZodType,
  P extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
> {
  /** Method and path as the client names them: `POST /templates/{id}`. */
  signature: S;
  /** The method of the signature. */
  method: Method;
  /** Below `/api/v1`. */
  path: string;
  /** Known by its input alone: the rest of its type is the service's own affair. */
  useCase: AnyUseCase & { input: I };
  /** By which way callers come in. */
  access: Way;
  /** A few words for the reference. */
  summary: string;
  /** The status of what went well. */
  status: number;
  /** Where an outcome is answered with another status. */
  otherwise: Otherwise<never> | undefined;
  /** How the answer is wrapped. */
  envelope: E;
  /** The wire form of the result, or of each item of a page. */
  reply: { schema: R; from: (value: never) => unknown };
  /** The use case's key for each path parameter. */
  params: P;
  /** Largest body, in bytes. */
  maxBytes: number;
  /** Values that the JSON of the body may hold; `undefined`: 100,000. */
  maxValues: number | undefined;
  /** Another body than JSON, whose bytes are handed on as one field. */
  raw: RawBody | undefined;
  /** The use case for a body that is a list in a file. */
  listFile: AnyUseCase | undefined;
  /** Whether the header `Idempotency-Key` is handed on (decisions §7). */
  idempotent: boolean;
  /** The use case for the query `dry_run=true`. */
  dryRun: DryRun | undefined;
  /** The number of the first page on the wire. */
  pagesFrom: 0 | 1;
  /** Statuses of errors that are others than usual. */
  statuses: Partial<Record<ErrorCode, number>>;
}

const kibibyte = 1024;

/** Declares a route. Throws a `TypeError` for a path parameter that the use case does not take. */
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
    pagesFrom: options.pagesFrom ?? 0,
    statuses: options.statuses ?? {},
  };
}

/** The way that a route says, or the only one. Throws a `TypeError` for a way that the use case has not. */
function wayOf(access: Access, by: unknown): Way {
  if (typeof access === "string") return access;
  const way = access.find((one) => one === by);
  if (way === undefined) throw new TypeError(`say by which way the route is entered: ${access.join(", ")}`);
  return way;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

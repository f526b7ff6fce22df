import type { PageOf, Reply, RequestFields, RouteSignature } from "@posthorn/client";
import type { Column } from "../terminal/table.ts";
import type { VerbHelp } from "./add-verb.ts";
import type { Api, NamedWorkspace } from "./api.ts";

/** The names of the fields that a line of the contract takes. */
type FieldOf<S extends RouteSignature> = keyof RequestFields<S> & string;

/** What a list shows a row of, and anything else itself. */
export type Item<S extends RouteSignature> =
  Reply<S> extends PageOf<infer T> ? T : Reply<S> extends readonly (infer T)[] ? T : Reply<S>;

/** An option, and the field of the request that its value goes to. */
export interface FieldOption<F extends string = string> {
  /** As commander reads it: `--url <url>`. */
  flags: string;
  field: F;
  describes: string;
  /** Reads the text; throws commander's `InvalidArgumentError`. A second argument is what it made of the option's former use. */
  read?: (text: string, former?: never) => unknown;
  /** The words that it may be: completion offers them. */
  choices?: readonly string[];
  isRequired?: boolean;
  /** What needs more time than the reading of the command line: a file, standard input. */
  load?: (text: string) => Promise<unknown>;
}

/** The id of what somebody names in another way. Throws `not_found`. */
export type Find = (api: Api, named: string) => Promise<string | number>;

/** The fields that a verb's arguments go to, in order. */
export const argumentsOf = ({
  asks,
  args,
}: {
  asks: RouteSignature;
  args?: readonly string[];
}): readonly string[] => args ?? [...asks.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** A verb that asks for one line of the contract. Help, `--workspace`, paging, formats, messages and the call itself follow from it. */
export interface RouteVerb<S extends RouteSignature> extends Omit<VerbHelp, "asks" | "args"> {
  asks: S;
  /** The field that each argument goes to, in order. Default: the path's parameters. */
  args?: readonly FieldOf<S>[];
  /** How what is named becomes the id that a field takes. */
  find?: Partial<Record<FieldOf<S>, Find>>;
  options?: readonly FieldOption<FieldOf<S>>[];
  /** What is always sent. */
  fields?: Partial<RequestFields<S>>;
  /** Of a paged list: its first page. */
  pagesFrom?: 0 | 1;
  /** A list's columns; of anything else, the lines that it is shown as. */
  columns?: readonly Column<Item<S>>[];
  /** Asked before it is done. */
  confirm?: (named: readonly string[], workspace: NamedWorkspace | undefined) => string;
  /** Told once it is done. Without it, what is answered is shown. */
  done?: (reply: Reply<S>, named: readonly string[]) => string;
  /** The part of the answer that is shown this once: alone, as text, so that it can be kept in a file. */
  secret?: (reply: Reply<S>) => string;
}

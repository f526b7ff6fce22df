import type { PageOf, Reply, RequestFields, RouteSignature } from "@posthorn/client";
import type { Column } from "../../terminal/table.ts";
import type { Api, NamedWorkspace } from "../connection/api.ts";
import type { VerbHelp } from "./add-verb.ts";

/** Names of a route's fields. */
type FieldOf<S extends RouteSignature> = keyof RequestFields<S> & string;

/** Item of a list, or the result itself. */
export type Item<S extends RouteSignature> =
  Reply<S> extends PageOf<infer T> ? T : Reply<S> extends readonly (infer T)[] ? T : Reply<S>;

/** An option, and the field of the request for its value. */
export interface FieldOption<F extends string = string> {
  /** Flags in commander's form: `--url <url>`. */
  flags: string;
  field: F;
  describes: string;
  /**
   * Parses the text; throws commander's `InvalidArgumentError`. The second argument is the parsed value of the option's
   * previous use.
   */
  read?: (text: string, former?: never) => unknown;
  /** Possible words, also offered by completion. */
  choices?: readonly string[];
  isRequired?: boolean;
  /** Loads the value asynchronously, such as from a file or standard input. */
  load?: (text: string) => Promise<unknown>;
}

/** Returns the id for a name. Throws `not_found`. */
export type Find = (api: Api, named: string) => Promise<string | number>;

/** Fields for a verb's arguments, in order. */
export const argumentsOf = ({
  asks,
  args,
}: {
  asks: RouteSignature;
  args?: readonly string[];
}): readonly string[] => args ?? [...asks.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** A verb that calls one route. Its help, `--workspace`, paging, formats, messages and the call follow from it. */
export interface RouteVerb<S extends RouteSignature> extends Omit<VerbHelp, "asks" | "args"> {
  asks: S;
  /** Field for each argument, in order. Default: the path's parameters. */
  args?: readonly FieldOf<S>[];
  /** By field: finds the id for a given name. */
  find?: Partial<Record<FieldOf<S>, Find>>;
  /** By field: finds the id where the argument is left out. */
  fallback?: Partial<Record<FieldOf<S>, (api: Api) => Promise<string | number>>>;
  options?: readonly FieldOption<FieldOf<S>>[];
  /** Fields that are always sent. */
  fields?: Partial<RequestFields<S>>;
  /** Number of a paged list's first page. */
  pagesFrom?: 0 | 1;
  /** Columns of a list; for any other result, the lines to show. */
  columns?: readonly Column<Item<S>>[];
  /** Question before the call, and what a script is told without `--yes`; none where the fields destroy nothing. */
  confirm?: (
    named: readonly string[],
    workspace: NamedWorkspace | undefined,
    fields: RequestFields<S>,
  ) => string | undefined;
  /** The question as somebody at a terminal is asked it, with what there is to know before the answer. */
  ask?: (api: Api, fields: RequestFields<S>) => Promise<string>;
  /** Message after the call. Without it, the result is shown. */
  done?: (reply: Reply<S>, named: readonly string[], fields: RequestFields<S>) => string;
  /** What to warn of after the call, if anything. */
  caution?: (reply: Reply<S>) => string | undefined;
  /**
   * Part of the result that is shown only once: written alone, as text, so that it can be redirected to a file. `ifLost`
   * is what to do where it could not be written.
   */
  secret?: { of: (reply: Reply<S>) => string; ifLost: string };
}

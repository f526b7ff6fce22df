import type { PageOf, Reply, RouteSignature } from "@posthorn/client";
import { allPages, type RequestedPage } from "./all-pages.ts";
import type { Api } from "./api.ts";
import { CliError } from "./cli-error.ts";

/** The lines that answer a list. */
export type ListSignature = Extract<RouteSignature, `GET ${string}`>;
type ListedItem<S extends ListSignature> =
  Reply<S> extends PageOf<infer T> ? T : Reply<S> extends readonly (infer T)[] ? T : never;

/** Where something is looked for, and what people call it by. */
export interface Listed<S extends ListSignature> {
  asks: S;
  /** "webhook". */
  thing: string;
  /** What it is named by, its id first. */
  names: (item: ListedItem<S>) => readonly string[];
  /** Whether it has pages. */
  isPaged?: true;
  /** The command that lists them. */
  hint: string;
}

/** Finds the one item of a list that is named; its id. Throws `not_found`, and a usage error where several have the name. */
export function findListed<S extends ListSignature>(
  listed: Listed<S>,
): (api: Api, named: string) => Promise<string> {
  return async (api, named) => namesOf(listed, await findItem(listed, api, named))[0] ?? named;
}

/** The item itself. */
export async function findItem<S extends ListSignature>(
  listed: Listed<S>,
  api: Api,
  named: string,
): Promise<ListedItem<S>> {
  const { thing, hint } = listed;
  const items = await listItems(listed, api);
  const byId = items.filter((item) => namesOf(listed, item)[0] === named);
  const found = byId.length > 0 ? byId : items.filter((item) => namesOf(listed, item).includes(named));
  const [only] = found;
  if (only === undefined) throw new CliError("not_found", `There is no ${thing} "${named}".`, `Try: ${hint}`);
  if (found.length > 1)
    throw new CliError(
      "usage",
      `${found.length} are called "${named}": ${found.map((item) => namesOf(listed, item)[0]).join(", ")}.`,
      "Name it by its id.",
    );
  return only;
}

const namesOf = <S extends ListSignature>({ names }: Listed<S>, item: ListedItem<S>): readonly string[] =>
  names(item);

/** All of them, page by page where the list has pages. */
export async function listItems<S extends ListSignature>(
  { asks, isPaged }: Pick<Listed<S>, "asks" | "isPaged">,
  { request }: Api,
): Promise<ListedItem<S>[]> {
  const ask = request as (signature: string, fields?: unknown) => Promise<unknown>;
  if (isPaged !== true) return (await ask(asks)) as ListedItem<S>[];
  const items: ListedItem<S>[] = [];
  const askPage = async (page: RequestedPage) => (await ask(asks, page)) as PageOf<ListedItem<S>>;
  for await (const page of allPages(askPage)) items.push(...page);
  return items;
}

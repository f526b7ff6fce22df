import type { PageOf, Reply, RouteSignature } from "@posthorn/client";
import { nearestName } from "@posthorn/core/internal";
import { allPages, type RequestedPage } from "../connection/all-pages.ts";
import type { Api } from "../connection/api.ts";
import { CliError } from "../errors/cli-error.ts";

/** Routes that respond with a list. */
export type ListSignature = Extract<RouteSignature, `GET ${string}`>;
type ListedItem<S extends ListSignature> =
  Reply<S> extends PageOf<infer T> ? T : Reply<S> extends readonly (infer T)[] ? T : never;

/** A list to search, and the names by which people refer to its items. */
export interface Listed<S extends ListSignature> {
  asks: S;
  /** Name of the kind of thing, such as "webhook". */
  thing: string;
  /** Names of an item, its id first. */
  names: (item: ListedItem<S>) => readonly string[];
  /** Returns the one spelling of names that mean the same. Default: each name is its own. */
  spell?: (name: string) => string;
  /** Whether the list has pages. */
  isPaged?: true;
}

/**
 * Finds an item of a list by name and returns its id. Throws `not_found`, and a usage error if several have the name.
 */
export function findListed<S extends ListSignature>(
  listed: Listed<S>,
): (api: Api, named: string) => Promise<string> {
  return async (api, named) => namesOf(listed, await findItem(listed, api, named))[0] ?? named;
}

/** Returns the id of a list's only item. Throws `not_found` if there is none, and a usage error if there are several. */
export function findOnly<S extends ListSignature>(listed: Listed<S>): (api: Api) => Promise<string> {
  return async (api) => {
    const { thing } = listed;
    const items = await listItems(listed, api);
    const [only] = items;
    if (only === undefined) throw new CliError("not_found", `The workspace has no ${thing}.`);
    if (items.length > 1)
      throw new CliError("usage", `There are ${items.length} ${thing}s: name one.`, hintOf(listed));
    return namesOf(listed, only)[0] ?? "";
  };
}

/** Finds an item of a list by name. Throws as `findListed` does. */
export async function findItem<S extends ListSignature>(
  listed: Listed<S>,
  api: Api,
  named: string,
): Promise<ListedItem<S>> {
  const { thing, spell = (name) => name } = listed;
  const items = await listItems(listed, api);
  const byId = items.filter((item) => namesOf(listed, item)[0] === named);
  const isCalled = (item: ListedItem<S>): boolean =>
    namesOf(listed, item).some((name) => spell(name) === spell(named));
  const found = byId.length > 0 ? byId : items.filter(isCalled);
  const [only] = found;
  if (only === undefined) {
    const meant = nearestName(
      named,
      items.flatMap((item) => namesOf(listed, item).slice(1)),
    );
    const asked = meant === undefined ? "" : `Did you mean "${meant}"? `;
    throw new CliError("not_found", `There is no ${thing} "${named}".`, `${asked}${hintOf(listed)}`);
  }
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

/** Names the command that prints the list: its noun is the last part of the route. */
const hintOf = <S extends ListSignature>({ asks }: Listed<S>): string =>
  `Try: posthorn ${asks.split("/").at(-1)} list`;

/** Returns all items, page by page if the list has pages. */
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

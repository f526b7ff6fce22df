import { type Call, ServiceError } from "@posthorn/core";
import type { Route } from "../contract/route.ts";
import type { BoundRoute } from "./bind-route.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";

/** The arguments of a route's run. */
export interface Run {
  sources: Parameters<BoundRoute["read"]>[0];
  call: Call;
}

/** What came of it, and the route by which that looks on the wire: where it was only tried, with that answer in place of its own. */
export interface Ran {
  route: Route;
  outcome: unknown;
}

/** Reads a route's input and runs its use case. Throws what refuses it, in the names of the interface. */
export async function runRoute(
  posthorn: Pick<ServedPosthorn, "execute">,
  bound: BoundRoute,
  { sources, call }: Run,
): Promise<Ran> {
  const { route } = bound;
  try {
    const input = bound.read(sources) as never;
    if (route.pagesFrom === 1) return { route, outcome: await askFromOne(posthorn, route, input, call) };
    if (route.dryRun === undefined || !bound.isDryRun(sources.query))
      return { route, outcome: await posthorn.execute(route.useCase, input, call) };
    const { useCase, reply } = route.dryRun;
    const told = (await posthorn.execute(useCase, input, call)) as { reasons: ServiceError[] };
    const outcome = { ...told, reasons: told.reasons.map(bound.toWireError) };
    return { route: { ...route, status: 200, otherwise: undefined, reply }, outcome };
  } catch (error) {
    throw error instanceof ServiceError ? bound.toWireError(error) : error;
  }
}

/** Asks for a page that is counted from 1, where 0 is the first as well; the answer repeats the number that was asked for. */
async function askFromOne(
  posthorn: Pick<ServedPosthorn, "execute">,
  { useCase }: Route,
  input: { page?: unknown },
  call: Call,
): Promise<object> {
  const { page = 1 } = input;
  const fromZero = typeof page === "number" && page >= 1 ? page - 1 : page;
  return {
    ...((await posthorn.execute(useCase, { ...input, page: fromZero } as never, call)) as object),
    page,
  };
}

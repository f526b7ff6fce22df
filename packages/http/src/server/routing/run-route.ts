import { type Call, ServiceError } from "@posthorn/core";
import type { Route } from "../../contract/route.ts";
import type { ServedPosthorn } from "../served-posthorn.ts";
import type { BoundRoute } from "./bind-route.ts";

/** Arguments of a route's run. */
export interface Run {
  sources: Parameters<BoundRoute["read"]>[0];
  call: Call;
}

/** Result of a run, and the route that gives its wire form: for a dry run, with the dry run's. */
export interface Ran {
  route: Route;
  outcome: unknown;
}

/** Reads a route's input and runs its use case. Throws refusals in wire names. */
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

/**
 * Runs a list whose pages are counted from 1, where 0 also means the first; the response repeats the requested number.
 */
async function askFromOne(
  posthorn: Pick<ServedPosthorn, "execute">,
  { useCase }: Route,
  input: { page?: unknown },
  call: Call,
): Promise<object> {
  const { page = 1 } = input;
  // Less one, an integer beyond 2^53 would be a safe one.
  const fromZero = Number.isSafeInteger(page) && Number(page) >= 1 ? Number(page) - 1 : page;
  return {
    ...((await posthorn.execute(useCase, { ...input, page: fromZero } as never, call)) as object),
    page,
  };
}

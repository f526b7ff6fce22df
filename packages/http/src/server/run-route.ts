import { type Call, ServiceError } from "@posthorn/core";
import type { BoundRoute } from "./bind-route.ts";
import type { Posthorn } from "./posthorn.ts";

/** What a route is run with. */
export interface Run {
  sources: Parameters<BoundRoute["read"]>[0];
  call: Call;
}

/** Reads a route's input and runs its use case. Throws what refuses it, in the names of the interface. */
export async function runRoute(
  posthorn: Pick<Posthorn, "execute">,
  bound: BoundRoute,
  { sources, call }: Run,
): Promise<unknown> {
  try {
    const input = bound.read(sources);
    return await posthorn.execute(bound.route.useCase, input as never, call);
  } catch (error) {
    throw error instanceof ServiceError ? bound.toWireError(error) : error;
  }
}

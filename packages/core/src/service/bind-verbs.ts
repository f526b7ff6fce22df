import type { z } from "zod";
import type { ApiKeyCaller, Caller, UserCaller } from "../calls/caller.ts";
import { execute } from "../calls/execute.ts";
import type { Access } from "../permissions.ts";
import { useCases } from "../use-cases.ts";
import type { CallOptions, ShapesGiven, Verbs, WorkspacesCallOptions } from "../verbs/index.ts";
import type { Runtime } from "./runtime.ts";

/** The service as it is seen from a workspace, by a user, or inside a transaction: what was given need not be given again. */
export interface View<Tx, Given extends "workspace" | "user" = never> extends Verbs<ShapesGiven<Tx, Given>> {
  /**
   * The same verbs on one workspace, by its number: `workspaces.ensure` makes one for a name of yours, and answers it. Nothing is looked
   * up: a workspace that is not there is told by the first call.
   */
  workspace(id: number): View<Tx, Given | "workspace">;
  /** The same verbs for a user: `await posthorn.findUser(id)`. */
  as(caller: UserCaller): View<Tx, Given | "user">;
  /** The same verbs for an API key, on its workspace: `await posthorn.authenticateApiKey(key)`. */
  as(caller: ApiKeyCaller): View<Tx, Given | "workspace">;
  /**
   * The same verbs inside the host's open transaction: what they do commits or vanishes with it. `transaction` is what the storage takes:
   * on PostgreSQL the pg client on which it was begun, or what `PostgresTransaction` says besides; on SQLite the better-sqlite3 handle.
   */
  within(transaction: Tx): View<Tx, Given>;
}

type Options = CallOptions<unknown> | Partial<WorkspacesCallOptions<unknown>>;
type Call = (input: unknown, options?: Options) => Promise<unknown>;

/** Every use case bound to the runtime, and to the options that have been given already. */
export function bindVerbs<Tx>(runtime: Runtime, given: Options = {}): View<Tx> {
  const bind =
    (useCase: { access: Access; input: z.ZodType }): Call =>
    (input = {}, options = {}) => {
      const { as, client, workspaceId, transaction } = { ...given, ...options };
      return execute(runtime, useCase, input as never, {
        caller: as ?? { kind: "operator", name: "host" },
        client: { ip: "", userAgent: "", ...client },
        workspaceId,
        ...(transaction === undefined ? {} : { transaction }),
      });
    };
  const bindAll = (entries: object) =>
    Object.fromEntries(Object.entries(entries).map(([verb, useCase]) => [verb, bind(useCase)]));
  // A host may make a view a request: an aggregate is bound when it is first asked for.
  const verbs: Record<string, PropertyDescriptor> = {};
  for (const [aggregate, entries] of Object.entries(useCases)) {
    let bound: Record<string, Call> | undefined;
    verbs[aggregate] = {
      enumerable: true,
      get: () => {
        bound ??= bindAll(entries);
        return bound;
      },
    };
  }
  const more = (options: Options): View<Tx> => bindVerbs(runtime, { ...given, ...options });
  return Object.defineProperties(
    {
      workspace: (workspaceId: number) => more({ workspaceId }),
      as: (as: Caller) => more({ as }),
      within: (transaction: Tx) => more({ transaction }),
    },
    verbs,
  ) as View<Tx>;
}

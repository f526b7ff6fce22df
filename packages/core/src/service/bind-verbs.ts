import type { z } from "zod";
import {
  type ApiKeyCaller,
  type Caller,
  type ClientInfo,
  isCaller,
  isNumberOf,
  kindOf,
  type UserCaller,
} from "../calls/caller.ts";
import { execute } from "../calls/execute.ts";
import type { Access } from "../permissions.ts";
import { findUnknownOption, type OptionNames } from "../ports/refuse-unknown-options.ts";
import { withDefaults } from "../ports/with-defaults.ts";
import { useCases } from "../use-cases.ts";
import type { CallOptions, ShapesGiven, Verbs, WorkspacesCallOptions } from "../verbs/index.ts";
import type { Runtime } from "./runtime.ts";

/**
 * The service's verbs for a workspace, for a user, or inside a transaction. Arguments that were given already are not
 * repeated.
 */
export interface View<Tx, Given extends "workspace" | "user" = never> extends Verbs<ShapesGiven<Tx, Given>> {
  /**
   * Returns the same verbs for one workspace, by its number. `workspaces.ensure` creates a workspace for your own id
   * and returns it. Nothing is looked up here: the first call reports a missing workspace.
   */
  workspace(this: void, id: number): View<Tx, Given | "workspace">;
  /** Returns the same verbs for a user: `await posthorn.findUser(id)`. */
  as(this: void, caller: UserCaller): View<Tx, Given | "user">;
  /** Returns the same verbs for an API key, on its workspace: `await posthorn.authenticateApiKey(key)`. */
  as(this: void, caller: ApiKeyCaller): View<Tx, Given | "workspace">;
  /**
   * Returns the same verbs inside the host's open transaction: their changes commit or roll back with it. `transaction`
   * is the storage's handle: on PostgreSQL the pg client that began it, or another `PostgresTransaction`; on SQLite the
   * better-sqlite3 handle.
   */
  within(this: void, transaction: Tx): View<Tx, Given>;
}

type Options = CallOptions<unknown> | Partial<WorkspacesCallOptions<unknown>>;
type Call = (input: unknown, options?: Options) => Promise<unknown>;

/** Binds all use cases to the runtime and to the options that were given already. */
export function bindVerbs<Tx>(runtime: Runtime, given: Options = {}): View<Tx> {
  const bind =
    (name: string, useCase: { access: Access; input: z.ZodType }): Call =>
    (input = {}, options = {}) => {
      const fault = faultIn(options);
      if (fault !== undefined) return Promise.reject(new TypeError(`${name} ${fault}`));
      // What is absent or undefined does not revoke what the view was made for.
      const {
        as = given.as,
        client = given.client,
        workspaceId = given.workspaceId,
        transaction = given.transaction,
      } = options ?? {};
      return execute(runtime, useCase, input as never, {
        caller: as ?? { kind: "operator", name: "host" },
        client: withDefaults<ClientInfo>({ ip: "", userAgent: "" }, client),
        workspaceId,
        ...(transaction === undefined ? {} : { transaction }),
      });
    };
  const bindAll = (aggregate: string, entries: object) =>
    Object.fromEntries(
      Object.entries(entries).map(([verb, useCase]) => [verb, bind(`${aggregate}.${verb}`, useCase)]),
    );
  // An aggregate is bound when it is first used, as a host may create a view for each request.
  const verbs: Record<string, PropertyDescriptor> = {};
  for (const [aggregate, entries] of Object.entries(useCases)) {
    let bound: Record<string, Call> | undefined;
    verbs[aggregate] = {
      enumerable: true,
      get: () => {
        bound ??= bindAll(aggregate, entries);
        return bound;
      },
    };
  }
  const more = (options: Options): View<Tx> => bindVerbs(runtime, { ...given, ...options });
  return Object.defineProperties(
    {
      workspace: (workspaceId: number) => more({ workspaceId: aNumber("workspace", workspaceId) }),
      as: (as: Caller) => {
        if (!isCaller(as)) throw new TypeError(`as takes ${aCaller(as)}`);
        return more({ as });
      },
      within: (transaction: Tx) => more({ transaction: there("within", "an open transaction", transaction) }),
    },
    verbs,
  ) as View<Tx>;
}

const optionNames: OptionNames<CallOptions> = {
  workspaceId: true,
  as: true,
  client: true,
  transaction: true,
};

/** Says what a caller is, beside what was given as one. */
const aCaller = (given: unknown): string =>
  given === undefined || given === null
    ? `a caller (findUser answers undefined for a user who does not exist), not ${given}`
    : `a caller, such as findUser or authenticateApiKey answers, not ${typeof given === "object" ? "such an object" : kindOf(given)}`;

/** Returns the argument of a view. Without it, its calls would do more than it was made for. */
function there<T>(method: string, wanted: string, value: T): T {
  if (value === undefined || value === null) throw new TypeError(`${method} takes ${wanted}, not ${value}`);
  return value;
}

function aNumber(method: string, value: number): number {
  if (!isNumberOf(value)) throw new TypeError(`${method} takes a workspace's number, not ${kindOf(value)}`);
  return value;
}

/**
 * Finds an unknown option, or one of a wrong type, for hosts without types: a misspelt one would change what the call
 * does, and a number that came as text would count as none. A caller who was not found is not the host itself.
 */
function faultIn(options: Options): string | undefined {
  const name = findUnknownOption(options, optionNames);
  if (name !== undefined)
    return `has no call option ${JSON.stringify(name)}: there are ${Object.keys(optionNames).join(", ")}; everything else belongs to its input, the first argument`;
  const { as, workspaceId, client } = options ?? {};
  if (Object.hasOwn(Object(options), "as") && !isCaller(as))
    return `takes as "as" ${aCaller(as)}; leave it out to act as the host itself`;
  if ((workspaceId ?? "all") !== "all" && !isNumberOf(workspaceId))
    return `takes as "workspaceId" a workspace's number, or "all", not ${kindOf(workspaceId)}`;
  return faultInClient(client ?? {});
}

function faultInClient(client: object): string | undefined {
  if (typeof client !== "object")
    return `takes as "client" an object with ip and userAgent, not ${kindOf(client)}`;
  for (const [name, value] of Object.entries(client))
    if (value !== undefined && typeof value !== "string")
      return `takes as "client.${name}" a text, not ${kindOf(value)}`;
  return undefined;
}

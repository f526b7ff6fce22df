import type { RouteSignature } from "@posthorn/client";
import { type Command, Option } from "commander";
import { actsOnWorkspace } from "./acts-on-workspace.ts";
import { addPaging, addVerb, addWorkspaceOption } from "./add-verb.ts";
import { argumentsOf, type RouteVerb } from "./route-verb-shape.ts";
import type { Action } from "./run-action.ts";

/** Adds a verb that calls a route. */
export function addRouteVerb<S extends RouteSignature>(
  noun: Command,
  act: (action: Action) => (...args: unknown[]) => Promise<void>,
  usage: string,
  spec: RouteVerb<S>,
): Command {
  const verb = addVerb(noun, usage, { ...spec, asks: [spec.asks], args: argumentsOf(spec) });
  if (actsOnWorkspace(spec.asks)) addWorkspaceOption(verb);
  if (spec.pagesFrom !== undefined) addPaging(verb, spec.pagesFrom);
  for (const { flags, describes, read, choices, isRequired } of spec.options ?? []) {
    const option = new Option(flags, describes).makeOptionMandatory(isRequired === true);
    if (read !== undefined) option.argParser(read as (text: string) => unknown);
    if (choices !== undefined) option.choices(choices);
    verb.addOption(option);
  }
  // Loaded when the verb runs, so that `--help` need not wait for it.
  return verb.action(
    act(async (context, ...given) => {
      const { askRoute } = await import("../connection/ask-route.ts");
      await askRoute(context, spec as unknown as RouteVerb<RouteSignature>, given);
    }),
  );
}

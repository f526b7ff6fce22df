import type { Command } from "commander";
import type { Called } from "../errors/to-cli-error.ts";
import { argumentFieldsOf } from "./add-verb.ts";

/** Describes a call from commander's values: the arguments in order, then the options. */
export function describeCall(noun: string, verb: Command, given: readonly unknown[]): Called {
  const fields = argumentFieldsOf(verb);
  return {
    noun,
    options: verb.options.flatMap(({ long }) => long ?? []),
    args: verb.registeredArguments.flatMap((argument, at) => {
      const value = given[at];
      return typeof value === "string" ? [{ name: argument.name(), field: fields[at], value }] : [];
    }),
  };
}

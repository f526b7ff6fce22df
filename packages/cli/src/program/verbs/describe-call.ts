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
      const name = argument.name();
      if (Array.isArray(value))
        return value.map((one: string, index) => ({
          name,
          field: `${fields[at] ?? name}.${index}`,
          value: one,
        }));
      return typeof value === "string" ? [{ name, field: fields[at], value }] : [];
    }),
  };
}

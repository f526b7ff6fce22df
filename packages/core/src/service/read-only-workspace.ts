import { externalId } from "../calls/external-id.ts";
import { workspaceName } from "../calls/name-field.ts";
import type { OnlyWorkspaceOption } from "./only-workspace.ts";
import type { Config } from "./options.ts";
import { readCount } from "./read-count.ts";
import { shown } from "./shown.ts";

/** Returns the option with the only workspace as it is stored. Throws a `TypeError` that names what is wrong with it. */
export function readOnlyWorkspace(option: OnlyWorkspaceOption): NonNullable<Config["workspace"]> {
  if (typeof option !== "object" || option === null)
    throw new TypeError(`workspace must be { name } or { id }; it is ${shown(option)}`);
  if ("id" in option) return { id: readCount("workspace.id", option.id, 1, Number.MAX_SAFE_INTEGER) };
  const given = { name: workspaceName, externalId };
  const read = (field: keyof typeof given, value: unknown): string => {
    const { data, error } = given[field].safeParse(value);
    if (error === undefined) return data;
    throw new TypeError(`workspace.${field} ${error.issues[0]?.message}; it is ${shown(value)}`);
  };
  return { name: read("name", option.name), externalId: read("externalId", option.externalId ?? "only") };
}

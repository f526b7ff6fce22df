import { externalId } from "../calls/external-id.ts";
import { workspaceName } from "../calls/input/name-field.ts";
import { refuseUnknownOptions } from "../ports/refuse-unknown-options.ts";
import type { OnlyWorkspaceOption } from "./only-workspace.ts";
import type { Config } from "./options.ts";
import { readCount } from "./read-count.ts";
import { shown } from "./shown.ts";

/** Returns the option with the only workspace as it is stored. Throws a `TypeError` that names what is wrong with it. */
export function readOnlyWorkspace(option: OnlyWorkspaceOption): NonNullable<Config["workspace"]> {
  const given: { id?: unknown; name?: unknown; externalId?: unknown } = Object(option);
  if ((given.id === undefined) === (given.name === undefined))
    throw new TypeError(`workspace must be { name } or { id }; it is ${shown(option)}`);
  refuseUnknownOptions(given, { id: true, name: true, externalId: true }, "workspace.");
  if (given.id !== undefined)
    return { id: readCount("workspace.id", given.id as number, 1, Number.MAX_SAFE_INTEGER) };
  const schemas = { name: workspaceName, externalId };
  const read = (field: keyof typeof schemas, value: unknown): string => {
    const { data, error } = schemas[field].safeParse(value);
    if (error === undefined) return data;
    throw new TypeError(`workspace.${field} ${error.issues[0]?.message}; it is ${shown(value)}`);
  };
  return { name: read("name", given.name), externalId: read("externalId", given.externalId ?? "only") };
}

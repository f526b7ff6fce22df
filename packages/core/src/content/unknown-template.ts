import { ServiceError } from "../errors.ts";
import type { Repositories } from "../ports/storage.ts";
import { nearestName } from "../rules/nearest-name.ts";

/** Maximum templates whose names are compared, the newest: a refusal costs one short read. */
const maxCompared = 100;

/** Reads the names of a workspace's newest templates, among which an unknown one's near name is looked for. */
export async function listTemplateNames(
  { templates }: Pick<Repositories, "templates">,
  workspaceId: number,
): Promise<string[]> {
  const { items } = await templates.list(workspaceId, { offset: 0, limit: maxCompared });
  return items.map(({ name }) => name);
}

/** Creates the refusal of a template that the workspace does not have, with the nearest of the names that it has. */
export function unknownTemplate(name: string, known: readonly string[]): ServiceError {
  const meant = nearestName(name, known);
  const message = `There is no template named ${name}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
  return new ServiceError("not_found", { message, details: { template: name } });
}

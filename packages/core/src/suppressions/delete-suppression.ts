import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { allows } from "../permissions.ts";
import { findEither } from "./find-either.ts";
import { suppressionName } from "./get-suppression.ts";

/**
 * Deletes a suppression (platform.md P8). If a complaint caused it, the permission `suppressions:release` is needed.
 */
export const deleteSuppression = useCase({
  access: "suppressions:write",
  refusals: ["suppression_protected"],
  input: suppressionName,
  async run({ storage, workspace, now, emit }, { email, scope }): Promise<void> {
    const found = await findEither(storage, { workspaceId: workspace.id, scope, ...email, now });
    if (found === undefined)
      throw new ServiceError("not_found", { message: "There is no such suppression." });
    const isProtected = found.origin === "complaint";
    if (isProtected && workspace.role !== undefined && !allows(workspace.role, "suppressions:release"))
      throw new ServiceError("suppression_protected");
    if (!(await storage.suppressions.delete(workspace.id, found))) throw new ServiceError("not_found");
    emit("suppression.deleted", { metadata: { email: found.address, scope, origin: found.origin } });
  },
});

import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { allows } from "../permissions.ts";
import { deleteEither } from "./find-either.ts";
import { suppressionName } from "./get-suppression.ts";
import { uncountUnsubscription } from "./unsubscriptions/uncount-unsubscription.ts";

/**
 * Deletes a suppression (platform.md P8). If a complaint caused it, the permission `suppressions:release` is needed.
 */
export const deleteSuppression = useCase({
  access: "suppressions:write",
  refusals: ["suppression_protected"],
  input: suppressionName,
  async run(context, { email, scope }): Promise<void> {
    const { storage, workspace, now, emit } = context;
    // Before its origin is judged: a complaint may have taken its place while it was read. A refusal undoes it.
    const deleted = await deleteEither(storage, { workspaceId: workspace.id, scope, ...email, now });
    if (deleted === undefined)
      throw new ServiceError("not_found", { message: "There is no such suppression." });
    const isProtected = deleted.origin === "complaint";
    if (isProtected && workspace.role !== undefined && !allows(workspace.role, "suppressions:release"))
      throw new ServiceError("suppression_protected");
    await uncountUnsubscription(context, workspace.id, deleted);
    emit("suppression.deleted", { metadata: { email: deleted.address, scope, origin: deleted.origin } });
  },
});

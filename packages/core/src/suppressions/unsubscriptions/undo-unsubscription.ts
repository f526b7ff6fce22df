import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { keysOf } from "../rules/suppression-key.ts";
import { readUnsubscribeToken } from "../unsubscribe-link.ts";
import { tokenInput, type UnsubscriptionView, viewUnsubscription } from "./unsubscription-view.ts";

/**
 * Undoes an unsubscription within ten minutes; later it changes nothing (platform.md P10). Throws `not_found` for a
 * link that this service did not issue.
 */
export const undoUnsubscription = useCase({
  access: "anonymous",
  input: tokenInput,
  async run({ storage, runtime, now, emit }, { token }): Promise<UnsubscriptionView> {
    const known = readUnsubscribeToken(runtime, token);
    if (known === undefined)
      throw new ServiceError("not_found", { message: "There is no such subscription." });
    const { workspaceId, list, address } = known;
    const view = await viewUnsubscription(storage, known, now);
    if (!view.canUndo) return view;
    const [addressKey = ""] = keysOf(address);
    if (await storage.suppressions.delete(workspaceId, { scope: list, addressKey }))
      emit("suppression.deleted", {
        workspaceId,
        metadata: { email: address, scope: list, origin: "unsubscribe" },
      });
    return { ...view, isSubscribed: true, canUndo: false };
  },
});

import { useCase } from "../../calls/use-case.ts";
import { keysOf } from "../rules/suppression-key.ts";
import {
  readLink,
  repeatsOfLink,
  tokenInput,
  type UnsubscriptionView,
  viewUnsubscription,
} from "./unsubscription-view.ts";

/**
 * Undoes an unsubscription within ten minutes; later it changes nothing (platform.md P10). Throws `not_found` for a
 * link that this service did not issue.
 */
export const undoUnsubscription = useCase({
  access: "anonymous",
  input: tokenInput,
  repeats: {
    ...repeatsOfLink,
    async find(context, { token }): Promise<UnsubscriptionView | undefined> {
      const view = await viewUnsubscription(context, readLink(context.runtime, token));
      return view.canUndo ? undefined : view;
    },
  },
  async run(context, { token }): Promise<UnsubscriptionView> {
    const { storage, runtime, emit } = context;
    const known = readLink(runtime, token);
    const { workspaceId, list, address } = known;
    const view = await viewUnsubscription(context, known);
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

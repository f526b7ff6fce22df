import { useCase } from "../../calls/use-case.ts";
import { suppressionChanges } from "../suppress.ts";
import {
  findUnsubscription,
  readLink,
  repeatsOfLink,
  tokenInput,
  type UnsubscriptionView,
  viewOf,
  viewUnsubscription,
} from "./unsubscription-view.ts";

/**
 * Undoes an unsubscription within ten minutes; later it changes nothing (platform.md P10). A temporary suppression that
 * it replaced stands again. Throws `not_found` for a link that this service did not issue.
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
    const { workspaceId, list } = known;
    const found = await findUnsubscription(context, known);
    const view = viewOf(known, found, context.now);
    if (found === undefined || !view.canUndo) return view;
    const email = found.address;
    const restored = await storage.suppressions.restoreReplaced(workspaceId, found, context.now);
    if (restored !== undefined) {
      const metadata = { email, scope: list, changes: suppressionChanges(found, restored) };
      emit("suppression.updated", { workspaceId, metadata });
      return viewOf(known, restored, context.now);
    }
    if ((await storage.suppressions.delete(workspaceId, found, context.now)) !== undefined)
      emit("suppression.deleted", {
        workspaceId,
        metadata: { email, scope: list, origin: "unsubscribe" },
      });
    return { ...view, isSubscribed: true, canUndo: false };
  },
});

import { createEvent } from "../../calls/outbox.ts";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import type { EventType } from "../../events.ts";
import { isErased } from "../../recipients/rules/erased-address.ts";
import { suppressionChanges } from "../suppress.ts";
import { uncountUnsubscription } from "./uncount-unsubscription.ts";
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
    const { storage, runtime } = context;
    const known = readLink(runtime, token);
    const { workspaceId, list } = known;
    const found = await findUnsubscription(context, known);
    const view = viewOf(known, found, context.now);
    if (found === undefined || !view.canUndo) return view;
    const email = found.address;
    const restored = await storage.suppressions.restoreReplaced(workspaceId, found, context.now);
    if (restored !== undefined) {
      await uncountUnsubscription(context, workspaceId, found);
      const metadata = { email, scope: list, changes: suppressionChanges(found, restored) };
      tell(context, workspaceId, { type: "suppression.updated", metadata });
      return viewOf(known, restored, context.now);
    }
    if ((await storage.suppressions.delete(workspaceId, found, context.now)) !== undefined) {
      await uncountUnsubscription(context, workspaceId, found);
      const metadata = { email, scope: list, origin: "unsubscribe" } as const;
      tell(context, workspaceId, { type: "suppression.deleted", metadata });
    }
    return { ...view, isSubscribed: true, canUndo: false };
  },
});

/** Records what the undoing changed: of an erased recipient not from where (platform.md P12). */
function tell(
  { caller, client, now, record }: Pick<WriteContext, "caller" | "client" | "now" | "record">,
  workspaceId: number,
  { type, metadata }: { type: EventType; metadata: Record<string, unknown> & { email: string } },
): void {
  const clientIp = isErased(metadata.email) ? "" : client.ip;
  record({
    events: [createEvent(type, { metadata }, { caller, workspaceId, clientIp, now })],
    deliveries: [],
  });
}

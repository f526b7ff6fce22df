import type { WriteContext } from "../../calls/use-case.ts";
import { keysOf } from "../rules/suppression-key.ts";
import { suppress } from "../suppress.ts";
import type { Unsubscription } from "../unsubscribe-link.ts";

/** Unsubscribes an address from a list. Emits the event only once, however often it is repeated. */
export async function unsubscribe(context: WriteContext, known: Unsubscription): Promise<void> {
  const { storage, runtime, now, caller, client } = context;
  const { workspaceId, list, address, emailId } = known;
  const [addressKey = ""] = keysOf(address);
  const entry = {
    workspaceId,
    scope: list,
    addressKey,
    address,
    origin: "unsubscribe",
    reason: "",
    emailId,
    createdBy: undefined,
    createdAt: now,
    expiresAt: undefined,
  } as const;
  const origin = { caller, clientIp: client.ip, now };
  const { outcomes, notifications } = await suppress(runtime, storage, [entry], origin);
  context.record(notifications);
  if (outcomes[0] !== "unchanged") await tell(context, known);
}

/** Emits the event, even if the e-mail itself has been deleted. */
async function tell(
  { storage, emitEmailEvent, now }: WriteContext,
  { workspaceId, emailId, ...about }: Unsubscription,
): Promise<void> {
  const email = (await storage.emails.find(workspaceId, emailId, now)) ?? {
    id: emailId,
    workspaceId,
    from: "",
    subject: "",
    tags: [],
    metadata: {},
  };
  const data = { recipient: about.address, list: about.list };
  emitEmailEvent({ type: "email.unsubscribed", email, at: now, metadata: data, data });
}

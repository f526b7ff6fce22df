import { useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { keysOf } from "../rules/suppression-key.ts";
import { suppress } from "../suppress.ts";
import { readUnsubscribeToken, type Unsubscription } from "../unsubscribe-link.ts";
import { tokenInput, viewUnsubscription } from "./unsubscription-view.ts";

/**
 * Unsubscribes by the link of an e-mail, from its list alone; once, however often it is asked for (platform.md P10, RFC 8058). Throws
 * `not_found` for a link that is not ours.
 */
export const createUnsubscription = useCase({
  access: "anonymous",
  input: tokenInput,
  async run(context, { token }) {
    const { storage, runtime, now, caller, client } = context;
    const known = readUnsubscribeToken(runtime, token);
    if (known === undefined || (await storage.workspaces.find(known.workspaceId)) === undefined)
      throw new ServiceError("not_found", { message: "There is no such subscription." });
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
    const { outcomes, tidings } = await suppress(runtime, storage, [entry], origin);
    context.record(tidings);
    if (outcomes[0] !== "unchanged") await tell(context, known);
    return await viewUnsubscription(storage, known, now);
  },
});

/** The e-mail may be forgotten by now; that its recipient said no is not. */
async function tell(
  { storage, happen, now }: WriteContext,
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
  happen({ type: "email.unsubscribed", email, at: now, metadata: data, data });
}

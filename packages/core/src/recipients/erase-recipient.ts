import { randomBytes } from "node:crypto";
import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { storeErasureKey } from "../suppressions/erasure-key.ts";
import { hashedKey } from "../suppressions/rules/hashed-key.ts";
import { personField, personOf } from "./person-field.ts";
import { erasedAddress } from "./rules/erased-address.ts";

/** Number of events that are searched before the answer. */
const latestEvents = 20_000;

/** Amount of data about a recipient. */
export interface ErasureView {
  /** Number of e-mails to the address. */
  emails: number;
  /** Number of campaigns whose list contains it. */
  campaigns: number;
  /** Number of events that name it among the workspace's latest 20,000. Older events are searched in the background. */
  events: number;
}

/**
 * Erases a recipient from the workspace (platform.md P12): a worker replaces the address, name, subjects, values and
 * replies wherever they are stored, and cancels the recipient's waiting e-mails. Counts stay, and so do suppressions,
 * under a hash. Repeating the call while the erasure runs changes nothing.
 */
export const eraseRecipient = useCase({
  access: "recipients:erase",
  input: z.strictObject({ email: personField }),
  async run({ storage, workspace, runtime, emit, wake }, { email }): Promise<ErasureView> {
    const person = {
      ...personOf(workspace.id, email),
      erasedAs: erasedAddress(randomBytes(4).toString("hex")),
    };
    const emails = await storage.recipients.countEmails(person);
    const campaigns = await storage.recipients.countCampaigns(person);
    const events = await storage.recipients.countEvents(person, latestEvents);
    const isFirst = await storage.erasures.insert({
      ...person,
      id: runtime.newId(),
      stage: "emails",
      cursor: "",
      emails: 0,
      campaigns: 0,
      events: 0,
      requestedAt: runtime.queueClock.now(),
    });
    if (isFirst) {
      const key = hashedKey(await storeErasureKey(storage), workspace.id, person.addressKey);
      await storage.recipients.hashSuppressions(person, key);
      // At once: mail that waits for the person must not go meanwhile.
      wake("erasures");
      emit("recipient.erasure_requested", { metadata: { erased_as: person.erasedAs, emails, campaigns } });
    }
    return { emails, campaigns, events };
  },
});

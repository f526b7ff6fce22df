import { expect } from "vitest";
import type { FaultWorld } from "./open-fault-world.ts";

/** Result of an ended campaign. */
export interface CampaignAccount {
  /** Number of mails that reached the mail server more than once. */
  twice: number;
  /** Copies beyond the first, and attempts of those mails that were interrupted or in doubt. */
  copies: number;
  doubtful: number;
}

/**
 * Compares the list, the e-mail log and the mails that the mail server accepted: every recipient has one e-mail, which
 * arrived, and each copy beyond the first has an attempt that was interrupted or in doubt.
 */
export async function judgeCampaign(
  { storage, posthorn, workspaceId, copies }: FaultWorld,
  campaignId: number,
  recipients: number,
): Promise<CampaignAccount> {
  const shop = posthorn.workspace(workspaceId);
  const { status, counts } = await shop.campaigns.get({ campaignId });
  expect({ status, ...counts }).toMatchObject({
    status: "completed",
    pending: 0,
    queued: recipients,
    sent: recipients,
    failed: 0,
    skipped: 0,
    cancelled: 0,
  });
  const mails: string[] = [];
  for (let position = 0; ; ) {
    const some = await storage.campaigns.recipientsAfter(campaignId, position, {
      limit: 2_000,
      maxBytes: 1e9,
    });
    if (some.length === 0) break;
    for (const { emailId = "none" } of some) mails.push(emailId);
    position = some.at(-1)?.position ?? position;
  }
  const known = new Set(mails);
  expect({
    onTheList: mails.length,
    mails: known.size,
    inTheLog: (await shop.emails.list({ size: 1 })).total,
    lost: mails.filter((id) => !copies.has(id)),
    ghosts: [...copies.keys()].filter((id) => !known.has(id)),
  }).toEqual({ onTheList: recipients, mails: recipients, inTheLog: recipients, lost: [], ghosts: [] });
  const completed = { type: "campaign.completed", workspaceId };
  expect((await storage.events.list(completed, { offset: 0, limit: 2 })).total).toBe(1);

  const account: CampaignAccount = { twice: 0, copies: 0, doubtful: 0 };
  const unexplained: string[] = [];
  for (const [id, count] of copies) {
    if (count === 1) continue;
    const attempts = await storage.emails.attempts(id);
    const doubtful = attempts.filter(({ outcome, inDoubt }) => outcome === "interrupted" || inDoubt).length;
    if (doubtful < count - 1) unexplained.push(id);
    account.twice += 1;
    account.copies += count - 1;
    account.doubtful += doubtful;
  }
  expect(unexplained).toEqual([]);
  return account;
}

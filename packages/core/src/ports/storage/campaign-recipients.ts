/** Statuses that the e-mail to a campaign's recipient can end with. */
export const campaignOutcomes = ["sent", "failed", "suppressed", "cancelled"] as const;
/** One of these values. */
export type CampaignOutcome = (typeof campaignOutcomes)[number];

/** State of a campaign's recipient. `settled` is not stored: it is a queued one whose e-mail has its outcome. */
export type CampaignRecipientState = "pending" | "queued" | "settled" | "skipped" | "cancelled";

/** Filter of a campaign's recipients. */
export interface CampaignRecipientFilter {
  /** Only recipients in this state. */
  state?: CampaignRecipientState | undefined;
  /** Only recipients whose e-mail has this outcome. */
  emailStatus?: CampaignOutcome | undefined;
  /** A part of the address. */
  q?: string | undefined;
}

/** A recipient on a campaign's list. */
export interface CampaignRecipient {
  /** Position on the list, from 1. */
  position: number;
  /** The recipient's name; empty if none was given. */
  name: string;
  /** The address as it was given. */
  address: string;
  /** Template values for this recipient. */
  templateData: Record<string, unknown>;
  /** State of the recipient in the campaign. */
  state: CampaignRecipientState;
  /** Reason for skipping the recipient. */
  reason: string;
  /** Id of the e-mail to the recipient. */
  emailId: string | undefined;
}

/** A recipient on a campaign's list with what became of the e-mail, without the values, which may be large. */
export interface ListedCampaignRecipient extends Omit<CampaignRecipient, "templateData"> {
  /** Outcome of the e-mail; `undefined` before, and once the e-mail is removed. */
  emailStatus: CampaignOutcome | undefined;
}

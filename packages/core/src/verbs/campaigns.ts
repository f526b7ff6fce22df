// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { CampaignRecipientView, CampaignView } from "../mail/campaigns/campaign-view.ts";
import type { CampaignCheck } from "../mail/campaigns/check-campaign.ts";
import type { AddedRecipients } from "../mail/campaigns/recipients/add-campaign-recipients.ts";
import type { RecipientImport } from "../mail/campaigns/recipients/import-campaign-recipients.ts";
import type { SentEmail } from "../mail/submission/submit-email.ts";
import type { CallShapes } from "./call-options.ts";
import type { CreateCampaignInput } from "./inputs/create-campaign-input.ts";
import type { UpdateCampaignInput } from "./inputs/update-campaign-input.ts";

/** What `list` takes. */
export interface ListCampaignsInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
  /** Only campaigns with this status. */
  status?: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled" | undefined;
  /** A part of the name. */
  q?: string | undefined;
}

/** What `get` takes. */
export interface GetCampaignInput {
  /** The campaign's id. */
  campaignId: number;
}

/** What `delete` takes. */
export interface DeleteCampaignInput {
  /** The campaign's id. */
  campaignId: number;
}

/** What `addRecipients` takes. */
export interface AddCampaignRecipientsInput {
  /** The campaign's id. */
  campaignId: number;
  /** At most 10,000 recipients at a time; those already on the list stay unchanged. */
  recipients: {
    /** The recipient, `a@b.example` or `Name <a@b.example>`. Required, unless email is given. */
    to?: string | undefined;
    /** The same as to, by the name that lists and CSV files have for it. */
    email?: string | undefined;
    /** Values for the placeholders, at most 256 KiB as JSON. */
    templateData?: Record<string, unknown> | undefined;
  }[];
}

/** What `importRecipients` takes. */
export interface ImportCampaignRecipientsInput {
  /** The campaign's id. */
  campaignId: number;
  /** The file's content: bytes or a stream of bytes, at most 64 MiB. Over HTTP it is the request's body. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * The file's format: `text/csv`, or `application/x-ndjson` with one JSON object per line. A `charset` beside it is
   * converted; without one, the file is UTF-8, or UTF-16 with its byte order mark. Over HTTP it is the header
   * Content-Type. Default `text/csv`.
   */
  contentType?: string | undefined;
  /** The file's size in bytes, if known: a file that is too large is then refused before it is read. */
  size?: number | undefined;
  /**
   * Joins the caller's calls of one import, which then have one audit event with the sum: a UUID, or any 1 to 64
   * letters, digits, hyphens and underscores. Default: the call is an import of its own.
   */
  importId?: string | undefined;
  /**
   * Whether further calls of the same import follow. The last call, for which it is false, writes the event, and so
   * does one that fails; the last may be empty. Needs the import's id. Default false.
   */
  more?: boolean | undefined;
}

/** What `listRecipients` takes. */
export interface ListCampaignRecipientsInput {
  /** The campaign's id. */
  campaignId: number;
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
  /**
   * Only recipients in this state. The e-mail of a `queued` one is on its way, that of a `settled` one has its
   * outcome.
   */
  state?: "pending" | "queued" | "settled" | "skipped" | "cancelled" | undefined;
  /** Only recipients whose e-mail has this outcome. */
  emailStatus?: "sent" | "failed" | "suppressed" | "cancelled" | undefined;
  /** A part of the address. */
  q?: string | undefined;
}

/** What `check` takes. */
export interface CheckCampaignInput {
  /** The campaign's id. */
  campaignId: number;
}

/** What `test` takes. */
export interface TestCampaignInput {
  /** The campaign's id. */
  campaignId: number;
  /** The test's recipient, `a@b.example` or `Name <a@b.example>`. */
  to: string;
  /** Values for the placeholders, at most 256 KiB as JSON. Default: those of the first recipient. */
  templateData?: Record<string, unknown> | undefined;
}

/** What `start` takes. */
export interface StartCampaignInput {
  /** The campaign's id. */
  campaignId: number;
}

/** What `pause` takes. */
export interface PauseCampaignInput {
  /** The campaign's id. */
  campaignId: number;
}

/** What `resume` takes. */
export interface ResumeCampaignInput {
  /** The campaign's id. */
  campaignId: number;
  /** What to do from now on with recipients without a value for a placeholder. Default: as before. */
  onMissing?: "skip" | "stop" | undefined;
}

/** What `cancel` takes. */
export interface CancelCampaignInput {
  /** The campaign's id. */
  campaignId: number;
}

/** Campaigns. */
export interface CampaignsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates a campaign, which is a draft until it is started (platform.md P9). A template that it names must exist,
   * here and again at the start.
   *
   * May refuse with `attachment_not_found`, `attachment_too_large`, `message_too_large`, `not_found`, `rate_limited`.
   */
  create(this: void, input: CreateCampaignInput, ...call: K["workspace"]): Promise<CampaignView>;
  /** Lists the workspace's campaigns, newest first (platform.md P9). */
  list(this: void, input?: ListCampaignsInput, ...call: K["workspace"]): Promise<Page<CampaignView>>;
  /** Reads a campaign, with its recipients so far by outcome (platform.md P9). */
  get(this: void, input: GetCampaignInput, ...call: K["workspace"]): Promise<CampaignView>;
  /**
   * Replaces all fields of a campaign that has not begun; its list stays, and so do its content and its files if they
   * are left out. A scheduled campaign takes its template's current content, and begins at the time given here
   * (platform.md P9).
   *
   * May refuse with `email_not_verified`, `workspace_not_trusted`, `sender_missing`, `domain_not_verified`,
   * `attachment_not_found`, `attachment_too_large`, `message_too_large`, `no_smtp_server`, `campaign_not_editable`,
   * `rate_limited`.
   */
  update(this: void, input: UpdateCampaignInput, ...call: K["workspace"]): Promise<CampaignView>;
  /**
   * Deletes a campaign that was never started, with its list of any length (platform.md P9).
   *
   * May refuse with `campaign_not_editable`.
   */
  delete(this: void, input: DeleteCampaignInput, ...call: K["workspace"]): Promise<void>;
  /**
   * Adds recipients to a campaign that has not begun; those who are already on its list stay unchanged (platform.md
   * P9).
   *
   * May refuse with `campaign_not_editable`.
   */
  addRecipients(
    this: void,
    input: AddCampaignRecipientsInput,
    ...call: K["workspace"]
  ): Promise<AddedRecipients>;
  /**
   * Adds the recipients in a file to a campaign that has not begun, a thousand at a time. Those already added stay,
   * even if a later line can't be read, and a file can be imported again (platform.md P9). One event tells of all
   * that were added.
   *
   * May refuse with `campaign_not_editable`, `payload_too_large`, `unsupported_media_type`.
   */
  importRecipients(
    this: void,
    input: ImportCampaignRecipientsInput,
    ...call: K["workspace"]
  ): Promise<RecipientImport>;
  /**
   * Lists a campaign's recipients in the order of its list, with the state of each; the e-mail itself has further
   * details (platform.md P9).
   */
  listRecipients(
    this: void,
    input: ListCampaignRecipientsInput,
    ...call: K["workspace"]
  ): Promise<Page<CampaignRecipientView>>;
  /**
   * Checks the whole list as if it were sent: reports missing values, suppressed recipients and the expected
   * duration. Stores nothing (platform.md P9).
   */
  check(this: void, input: CheckCampaignInput, ...call: K["workspace"]): Promise<CampaignCheck>;
  /**
   * Sends a campaign's content with its files to one address, marked as a test and counted against the quota
   * (platform.md P9).
   *
   * May refuse with `email_not_verified`, `workspace_not_trusted`, `sender_missing`, `domain_not_verified`,
   * `attachment_not_found`, `attachment_too_large`, `message_too_large`, `no_smtp_server`,
   * `all_recipients_suppressed`, `rate_limited`, `template_render_failed`.
   */
  test(this: void, input: TestCampaignInput, ...call: K["workspace"]): Promise<SentEmail>;
  /**
   * Starts a draft: at its scheduled time, or at once. It uses its template's current content, and later changes to
   * the template don't affect it (platform.md P9).
   *
   * May refuse with `email_not_verified`, `workspace_not_trusted`, `sender_missing`, `domain_not_verified`,
   * `attachment_not_found`, `attachment_too_large`, `message_too_large`, `no_smtp_server`, `campaign_empty`,
   * `campaign_state_conflict`.
   */
  start(this: void, input: StartCampaignInput, ...call: K["workspace"]): Promise<CampaignView>;
  /**
   * Pauses a running campaign: waiting e-mails stay in the queue, those on their way to a mail server are still sent
   * (platform.md P9).
   *
   * May refuse with `campaign_state_conflict`.
   */
  pause(this: void, input: PauseCampaignInput, ...call: K["workspace"]): Promise<CampaignView>;
  /**
   * Resumes a paused campaign: at its pace, as if no time had passed, and judged by bounces and complaints from now
   * on (platform.md P9).
   *
   * May refuse with `campaign_state_conflict`.
   */
  resume(this: void, input: ResumeCampaignInput, ...call: K["workspace"]): Promise<CampaignView>;
  /**
   * Cancels a campaign for good: nothing more is sent, and waiting e-mails are cancelled in the background
   * (platform.md P9).
   *
   * May refuse with `campaign_state_conflict`.
   */
  cancel(this: void, input: CancelCampaignInput, ...call: K["workspace"]): Promise<CampaignView>;
}

// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { ReceivedReports } from "../inbound/receive-report.ts";
import type { InboundReportDetails, InboundReportView } from "../inbound/report-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `feed` takes. */
export interface FeedReportInput {
  /**
   * The returned message, unchanged: a notification of delivery (RFC 3464), a complaint (RFC 5965), or any other. At
   * most 1 MiB; bytes beyond ASCII as characters of Latin-1.
   */
  message: string;
}

/** What `receive` takes. */
export interface ReceiveReportInput {
  /** The provider of the webhook. */
  provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
  /** The secret part of the endpoint's path. */
  token: string;
  /** Header fields of the request, by lower-case name. */
  headers: Record<string, string>;
  /** Body of the request, one character per byte. At most 4 MiB; of a message, the first MiB is read. */
  body: string;
}

/** What `knowsAddress` takes. */
export interface KnowsAddressInput {
  /** The address as given to the mail server. */
  address: string;
}

/** What `receiveMessage` takes. */
export interface ReceiveMessageInput {
  /** The message, one character per byte. At most 1 MiB. */
  message: string;
  /** The addresses that it was sent to; at most 100. */
  recipients: string[];
}

/** What `list` takes. */
export interface ListReportsInput {
  /** Only reports about this e-mail. */
  emailId?: string | undefined;
  /** Only reports of this kind: notifications of delivery, or complaints. */
  kind?: "notification" | "complaint" | undefined;
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `get` takes. */
export interface GetReportInput {
  /** The report's id, a UUID. */
  reportId: string;
}

/** Incoming reports about e-mails: bounces, delays and complaints. */
export interface InboundVerbs<K extends CallShapes = CallShapes> {
  /**
   * Processes a bounce, complaint or other report about the workspace's e-mails, from a program that reads the
   * mailbox of bounces; the same message counts only once (platform.md P7).
   *
   * May refuse with `payload_too_large`.
   */
  feed(this: void, input: FeedReportInput, ...call: K["workspace"]): Promise<InboundReportView>;
  /**
   * Processes a relay's own webhook, if its signature is valid: a relay's customer never sees the notifications of
   * the servers behind it (platform.md P7). Throws `not_found` for an unknown path, `unauthenticated` for a call that
   * the provider did not make, or whose signature came with another content before, and `unavailable`, so that the
   * relay repeats its call, if that can't be verified for the moment, or if it names an e-mail by the relay's own id
   * alone while one to the recipient is being sent.
   *
   * May refuse with `not_found`, `unauthenticated`.
   */
  receive(this: void, input: ReceiveReportInput, ...call: K["any"]): Promise<ReceivedReports>;
  /**
   * Checks whether mail for an address is accepted here: a return path that this service made, an address for
   * unsubscribing, or the one for complaints at a domain whose mail comes back here (platform.md P7, P10).
   */
  knowsAddress(this: void, input: KnowsAddressInput, ...call: K["any"]): Promise<boolean>;
  /**
   * Processes a message received by mail, for any workspace that it concerns. Anyone may send one: without a signed
   * token it is recorded at most, and suppresses nobody (platform.md P7). Mail to an address for unsubscribing does
   * that, and is no report (platform.md P10).
   */
  receiveMessage(this: void, input: ReceiveMessageInput, ...call: K["any"]): Promise<InboundReportView>;
  /**
   * Lists bounces, delays and complaints about the workspace's e-mails of the last 7 days, newest first (platform.md
   * P7).
   */
  list(this: void, input?: ListReportsInput, ...call: K["workspace"]): Promise<Page<InboundReportView>>;
  /** Reads a report with its message, which shows why an address was suppressed (platform.md P7). */
  get(this: void, input: GetReportInput, ...call: K["workspace"]): Promise<InboundReportDetails>;
}

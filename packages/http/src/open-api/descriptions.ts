import { wordsAToM } from "./field-words-a-to-m.ts";
import { wordsNToZ } from "./field-words-n-to-z.ts";
import type { JsonSchema } from "./schemas.ts";

/** What a field means, by its name, where it means the same wherever it stands. */
const byName: Readonly<Record<string, string>> = { ...wordsAToM, ...wordsNToZ };

/** What a field means in one schema, or in one operation by its id, where it differs. */
const byPlace: Record<string, string> = {
  "Campaign.unsubscribe": "The list that recipients may leave; null for none.",
  "Campaign.list": "The list's name.",
  "MailMetrics.from": "The beginning.",
  "CampaignRecipient.email_id": "The e-mail that went out; null where there is none.",
  "Attachment.expires_at": "When no send can refer to it any more; each send prolongs it.",
  "Attachment.size": "Bytes.",
  "Email.priority": "Which goes first where many wait.",
  "EmailAttachment.size": "Bytes.",
  "DkimKey.activated_at": "When it began to sign; null before.",
  "DkimKey.algorithm": "What kind of key it is.",
  "DkimKey.retired_at": "When it stopped signing; null before.",
  "DkimKey.selector": "The name of the key's record beneath `_domainkey`.",
  "DkimKey.state": "Whether it signs, is published to take over, or signed until lately.",
  "Domain.checked_at": "When it was last looked at; null before.",
  "Domain.dkim": "Its keys, oldest first.",
  "Domain.include_subdomains": "Whether it stands for the domains beneath it.",
  "Domain.name": "The domain, in ASCII.",
  "Domain.next_check_at": "When it is looked at next; null for only when asked.",
  "Domain.records": "The DNS records to publish, and how they were found.",
  "Domain.status": "Mail is signed, and a domain counts as verified, in `verified` and `warning`.",
  "Domain.status_reason": "Why it is so; empty where all is well.",
  "Domain.verified_at": "When it last became verified; null before.",
  "DomainRecord.found": "What stands there; at most 5 texts.",
  "DomainRecord.hint": "What to do about it, in words for people; empty where there is nothing to do.",
  "DomainRecord.host":
    "What is typed into a DNS panel: the name relative to the zone, `@` for the zone itself.",
  "DomainRecord.name": "The record's full name.",
  "DomainRecord.problem": "What is wrong, as a stable word; null where nothing is.",
  "DomainRecord.purpose": "What the record is for.",
  "DomainRecord.required": "Whether the domain's status hangs on it.",
  "DomainRecord.status":
    "How it was found. `unreachable` says nothing of it; `keep` and `removable` are of a retired key's.",
  "DomainRecord.ttl": "Seconds that answers may be kept.",
  "DomainRecord.type": "The record's type.",
  "DomainRecord.value": "What belongs there, in one record.",
  "EmailDetails.priority": "Which goes first where many wait.",
  "EmailDetails.timeline":
    "What happened to it and what it waits for, oldest first; at most 200 webhook deliveries, and as much of what was done with it.",
  "TimelineEntry.at": "When it happened; for what it waits for, when that is due.",
  "TimelineEntry.type": "What it tells of.",
  "TimelineEntry.message":
    "What happened, in words for people. What mail servers said stands in it as they said it.",
  "TimelineEntry.recipient": "The address that it is about; null where it is about all or none.",
  "TimelineEntry.details": "What else is known. Never a content, a password or a token.",
  "TimelineEntry.handovers": "The mail servers that an attempt turned to, in order; empty for anything else.",
  "TimelineEntry.smtp_server_id": "The workspace's own server; null for the operator's.",
  "TimelineEntry.name": "The server's name; null for the operator's, and for one that is gone.",
  "TimelineEntry.held": "Why it took nothing, whatever the mail; null where it took it up.",
  "TimelineEntry.steps": "What was gone through there, in order.",
  "HandoverStep.step": "What it was: a command of SMTP, or what comes before and after.",
  "HandoverStep.ms": "How long it took, in ms.",
  "HandoverStep.code": "The server's reply code; null where it said nothing.",
  "HandoverStep.reply":
    "What the server said, as it said it; of `starttls` what was agreed on. Empty where the server is the operator's and talks of itself.",
  "HandoverStep.error": "Why it broke off; null where it did not.",
  "HandoverStep.recipient": "Of `rcpt_to`: whom it is about.",
  "EmailRecipient.enhanced_code": "Of its bounce, such as `5.1.1`; null where there is none.",
  "EmailRecipient.class":
    "What its bounce tells of: the mailbox (`hard`), the moment (`soft`), the sender (`block`, `setting`), or nothing certain; null without a bounce.",
  "EmailRecipient.category": "Why it bounced, such as `mailbox_full`; null without a bounce.",
  "EmailRecipient.bounced_at": "When a bounce was first told of; null for never.",
  "EmailRecipient.complained_at": "When a complaint was first told of; null for never.",
  "InboundEffect.kind": "What was reported.",
  "InboundEffect.recipient": "The address of the e-mail's that it is about.",
  "InboundEffect.class": "What a bounce tells of; `complaint` for one.",
  "InboundEffect.category": "Why it bounced, or the complaint's type.",
  "InboundEffect.effect":
    "`noted` for the first of its kind, `suppressed` where the address gets no more mail for it, `known` for one that was told before.",
  "InboundEndpoint.provider": "Whose webhooks come.",
  "InboundEndpointMade.provider": "Whose webhooks come.",
  "InboundEndpointMade.secret": "The signing secret that we made, shown this once; null where it was given.",
  "InboundEndpointMade.url": "Where the provider is to post to, shown this once: it is a secret.",
  "InboundReceived.matched": "How many of its events are about e-mails that are known.",
  "InboundReport.id": "Its id; null where it is not kept.",
  "InboundReport.kind": "What the message was.",
  "InboundReport.source": "Who said so: a notification, a complaint, or a relay by its webhook.",
  "InboundReport.effects": "What it did to each recipient.",
  "InboundReport.email_id": "The e-mail that it is about; null for none that is known.",
  "InboundReport.matched": "Whether it is about an e-mail of the workspace.",
  "InboundReportDetails.kind": "What the message was.",
  "InboundReportDetails.source": "Who said so: a notification, a complaint, or a relay by its webhook.",
  "InboundReportDetails.effects": "What it did to each recipient.",
  "InboundReportDetails.email_id": "The e-mail that it is about; null for none that is known.",
  "InboundReportDetails.matched": "Whether it is about an e-mail of the workspace.",
  "InboundReportDetails.raw": "The message as it came, one character a byte.",
  "MailFailure.at": "When it happened.",
  "MailFailure.email_id": "The e-mail's id.",
  "MailFailure.reason": "What the mail server said, or why it was not asked.",
  "MailFailure.type": "What became of it.",
  "QueueChange.changed": "Whether it was otherwise before.",
  "QueueHold.until": "When the hold ends; null until it is ended.",
  "QueueRoute.due": "E-mails that could go now.",
  "QueueRoute.held": "Why nothing goes from it; null where nothing holds it.",
  "QueueRoute.leased": "E-mails in a worker's hands.",
  "QueueRoute.oldest_due_at": "When its longest-due e-mail fell due; null where none is due.",
  "QueueRoute.route":
    "Its name: `w:7` is workspace 7 on the operator's server, `service` the service's own mails.",
  "QueueRoute.waiting": "E-mails that are due later.",
  "QueueRoute.workspace_id": "Whose e-mails wait there; null for the service's own.",
  "QueueStatus.due": "E-mails that could go now.",
  "QueueStatus.failures": "What went wrong of late, the latest first: at most 10, of the last 500 events.",
  "QueueStatus.leased": "E-mails in a worker's hands.",
  "QueueStatus.oldest_due_at": "When the longest-due e-mail fell due; null where none is due.",
  "QueueStatus.paused": "Whether all delivery is held.",
  "QueueStatus.paused_at": "Since when it is; null where it is not.",
  "QueueStatus.routes": "Where e-mails wait: at most 100 routes, the longest due first.",
  "QueueStatus.totals": "What became of recipients since the database was begun: two looks make a rate.",
  "QueueStatus.waiting": "E-mails that are due later.",
  "QueueStatus.workers": "Who delivers, the last seen first.",
  "Worker.id": "Its process, by an id of this run.",
  "Worker.seen_at": "When it last gave a sign of life.",
  "DryRun.code": "A stable word for it.",
  "DryRun.message": "What it is, in words for people.",
  "DryRun.recipients": "Whom it would go to.",
  "DryRun.subject": "Rendered.",
  "DryRun.template_version_id": "The version that would be sent; null without a template.",
  "Error.code": "What was refused, as a stable word.",
  "Error.details": "The faulty fields, or the limit that was reached.",
  "Error.error": "Why it was refused.",
  "Error.message": "What is wrong with it, in words for people.",
  "Suppression.email": "The address, or `@` and a domain.",
  "Suppression.email_id": "The e-mail that led to it; null where none did.",
  "Suppression.expires_at": "When it ends; null for never.",
  "SuppressionImport.added": "Entries that are new.",
  "SuppressionImport.updated": "Entries that stood already, and now last longer.",
  "SuppressionImport.unchanged": "Entries that stood already.",
  "AddedRecipients.rejected": "The first 1,000 lines of a file that were left out.",
  "AddedRecipients.rejected_total": "How many lines of a file were left out.",
  "AddedRecipients.line": "The line's number, from 1.",
  "AddedRecipients.value": "What is wrong, as it stands in the file.",
  "SuppressionImport.rejected": "The first 1,000 lines that were left out.",
  "SuppressionImport.rejected_total": "How many lines were left out.",
  "SuppressionImport.last_line": "The last line that was read.",
  "SuppressionImport.line": "The line's number, from 1.",
  "SuppressionImport.value": "What is wrong, as it stands in the file.",
  "SuppressionCheck.since": "Since when; null where it is not suppressed.",
  "SuppressionCheck.origin": "What suppresses it, its own entry or its domain's; null for nothing.",
  "EmailAttempt.smtp_server_id": "The workspace's own server that it was handed to; null for the operator's.",
  "Event.metadata": "What changed, as JSON text.",
  "Login.token": "Sent as `Authorization: Bearer …`. Lasts 24 hours.",
  "getEmails.status": "Finds those that stand there.",
  "getEmails.to": "Finds those with this recipient.",
  "getEmails.template": "Finds those made from the template of this name.",
  "getWorkspacesCurrentEmails.status": "Finds those that stand there.",
  "getWorkspacesCurrentEmails.to": "Finds those with this recipient.",
  "getWorkspacesCurrentEmails.template": "Finds those made from the template of this name.",
  "TwoFactorSetup.secret": "The shared secret, for authenticator apps without a camera.",
  "TwoFactorSetup.url": "An otpauth URL, to be shown as a QR code.",
  "SmtpServer.state":
    "`limited`: it takes less than it is handed; `down`: nothing goes there before `down_until`, and then one e-mail tries it.",
  "SmtpServer.is_default": "Whether it also takes mail from domains that no server of the workspace names.",
  "SmtpServerTestStep.code": "The server's reply code.",
  "SmtpServerTestStep.error": "Why it went no further.",
  "WebhookDelivery.status": "Whether it was delivered, waits, or was given up.",
  "postEmailsSendTemplate.subject":
    "A subject in place of the template's; its placeholders are filled as well.",
  "postEmailsSendTemplate.template_version_id": "Another version of the template than the active one.",
  "postUsersMeSessionsRevokeOthers.revoked": "How many sessions were ended.",
};

/** Gives every field that says nothing about itself the words for its name, at any depth. */
export function describeFields(schema: JsonSchema, place: string): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const words = field.description ?? describeField(name, place);
    if (words !== undefined) field.description = words;
    describeFields(field, place);
  }
  const { items, anyOf = [], oneOf = [], allOf = [] } = schema;
  for (const part of [...(items === undefined ? [] : [items]), ...anyOf, ...oneOf, ...allOf]) {
    describeFields(part, place);
  }
}

/** The words for a field or parameter of a schema or operation; a test holds that there are some. */
export function describeField(name: string, place: string): string | undefined {
  return byPlace[`${place}.${name}`] ?? byName[name];
}

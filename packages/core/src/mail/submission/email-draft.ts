import type { ReadContext } from "../../calls/use-case.ts";
import type { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type {
  EmailPayload,
  NewContent,
  NewEmail,
  SendableVersion,
  SendingWorkspace,
  Suppression,
} from "../../ports/storage.ts";
import { noFiles } from "../attachments/choose-files.ts";
import type { ChosenFiles, SubmittedFiles } from "../attachments/chosen-files.ts";
import { workspaceRoute } from "../rules/routes.ts";
import { openUnsubscription } from "./open-unsubscription.ts";
import type { SendFields } from "./send-fields.ts";

/**
 * The source of an e-mail's content: a content as given, a template's version with its values, or the reason why
 * neither is available.
 */
export type DraftSource =
  | { kind: "literal"; content: NewContent }
  | {
      kind: "version";
      version: Pick<SendableVersion, "templateName" | "versionId" | "contentId" | "contentHash">;
      data: Record<string, unknown>;
      allowMissing: boolean;
      /** Template for the subject, replacing the version's. */
      subject: string | undefined;
    }
  | { kind: "missing"; reason: ServiceError };

/** A hint to the sender that does not prevent the send. */
export interface DraftWarning {
  /** Code of the warning. */
  code: string;
  /** Description in a sentence. */
  message: string;
  /** Affected values, named as in the HTTP API. */
  details?: Record<string, unknown>;
}

/**
 * A requested e-mail, and what is found out about it before it is accepted. The [checks](./checks.ts) fill it in:
 * faults go into `reasons`. A send is refused with the first of them; a dry run reports all.
 */
export interface EmailDraft {
  /** The id that the e-mail will have. */
  readonly id: string;
  /** Unsubscribe link of its only recipient. */
  readonly unsubscribe: EmailPayload["unsubscribe"];
  readonly workspace: SendingWorkspace;
  readonly source: DraftSource;
  readonly fields: SendFields;
  readonly isTest: boolean;
  /** Suppressed recipients, if they were looked up in advance. */
  readonly suppressed: Promise<ReadonlyMap<string, Suppression>> | undefined;
  /** To, cc and bcc in this order. */
  recipients: NewEmail["recipients"];
  /** `undefined` if there is none, which a reason reports. */
  from: Mailbox | undefined;
  /** Whether it is accepted only because the sender's domain is verified; delivery checks that again. */
  requiresDomain: boolean;
  /** Whether only mail servers of the workspace's own may carry it; delivery checks that again. */
  ownServersOnly: boolean;
  /** Whether a key of the workspace's signs for the sender. Looked up only if a decision depends on it. */
  isSigned: boolean;
  /** Rendered; empty if a reason says why it can't be. */
  subject: string;
  /** Placeholders of subject, html and text without a value. */
  missing: string[];
  /** Files of the e-mail, looked up and checked. */
  files: ChosenFiles;
  /** Its files once their contents are stored, just before acceptance. */
  keptFiles: SubmittedFiles | undefined;
  /** The server to use first: the id of a workspace's own, or the operator's; `undefined` if none accepts it. */
  carrier: string | undefined;
  /** Its route in the queue. */
  route: string;
  reasons: ServiceError[];
  warnings: DraftWarning[];
}

/** What submits an e-mail: a send, a template's test, or a campaign. */
export type SubmittingContext = ReadContext<"api_key" | "emails:test" | "campaigns:write">;

/**
 * Checks one aspect of a draft: adds faults to its reasons, and fills in what it decides. Awaits nothing if it needs
 * nothing.
 */
export type Check = (draft: EmailDraft, context: SubmittingContext) => void | Promise<void>;

export function createDraft(
  { runtime }: Pick<ReadContext, "runtime">,
  workspace: SendingWorkspace,
  source: DraftSource,
  fields: SendFields,
  { isTest = false, suppressed }: { isTest?: boolean; suppressed?: EmailDraft["suppressed"] } = {},
): EmailDraft {
  const id = runtime.newId();
  return {
    id,
    unsubscribe: openUnsubscription(runtime, fields, { workspaceId: workspace.workspaceId, emailId: id }),
    workspace,
    source,
    fields,
    isTest,
    suppressed,
    recipients: [
      ...recipientsOf(fields, "to"),
      ...recipientsOf(fields, "cc"),
      ...recipientsOf(fields, "bcc"),
    ],
    from: undefined,
    requiresDomain: false,
    ownServersOnly: false,
    isSigned: false,
    subject: "",
    missing: [],
    files: noFiles,
    keptFiles: undefined,
    carrier: undefined,
    route: workspaceRoute(workspace.workspaceId),
    reasons: [],
    warnings: [],
  };
}

const recipientsOf = (fields: SendFields, kind: "to" | "cc" | "bcc"): NewEmail["recipients"] =>
  fields[kind].map(({ name, address }) => ({ kind, name, address }));

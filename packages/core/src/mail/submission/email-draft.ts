import type { ReadContext } from "../../calls/use-case.ts";
import type { ServiceError } from "../../errors.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { EmailPayload, NewEmail } from "../../ports/storage/emails.ts";
import type { NewContent } from "../../ports/storage/templates.ts";
import type { SendableVersion, SendingContext, Suppression } from "../../ports/storage.ts";
import { noFiles } from "../attachments/choose-files.ts";
import type { ChosenFiles, SubmittedFiles } from "../attachments/chosen-files.ts";
import { workspaceRoute } from "../rules/routes.ts";
import { openUnsubscription } from "./open-unsubscription.ts";
import type { SendFields } from "./send-fields.ts";

/** What an e-mail is to say: a content as it stands, a template's version with its values, or why neither is there. */
export type DraftSource =
  | { kind: "literal"; content: NewContent }
  | {
      kind: "version";
      version: Pick<SendableVersion, "templateName" | "versionId" | "contentId" | "contentHash">;
      data: Record<string, unknown>;
      allowMissing: boolean;
      /** In place of the version's, and rendered likewise. */
      subject: string | undefined;
    }
  | { kind: "missing"; reason: ServiceError };

/** Something that stands against nothing, but that whoever sends wants to know. */
export interface DraftWarning {
  /** Which warning it is, for programs. */
  code: string;
  /** The same in a sentence. */
  message: string;
  /** What it is about, by the names of the HTTP API. */
  details?: Record<string, unknown>;
}

/**
 * An e-mail that is asked for, and what is found out about it before it is accepted. The [checks](./checks.ts) fill it in: what stands
 * against it goes into `reasons`. A send is refused with the first of them; a dry run tells all.
 */
export interface EmailDraft {
  /** The id that the e-mail will have. */
  readonly id: string;
  /** By what its one recipient unsubscribes from a list. */
  readonly unsubscribe: EmailPayload["unsubscribe"];
  readonly sending: SendingContext;
  readonly source: DraftSource;
  readonly fields: SendFields;
  readonly isTest: boolean;
  /** Who of the recipients gets nothing, where it was asked for ahead. */
  readonly suppressed: Promise<ReadonlyMap<string, Suppression>> | undefined;
  /** To, cc and bcc in this order. */
  recipients: NewEmail["recipients"];
  /** `undefined` where there is none, of which a reason tells. */
  from: Mailbox | undefined;
  /** Whether it is accepted only because the sender's domain is verified: that is asked for again when the e-mail goes. */
  requiresDomain: boolean;
  /** Whether a key of the workspace's signs for the sender. Looked up only where something hangs on it. */
  isSigned: boolean;
  /** Rendered; empty where a reason tells why it can't be. */
  subject: string;
  /** Placeholders of subject, html and text without a value. */
  missing: string[];
  /** Its files, looked up. */
  files: ChosenFiles;
  /** The same, once their contents are kept: when the e-mail is about to be accepted. */
  keptFiles: SubmittedFiles | undefined;
  /** The server that it is to be handed to first: the id of a workspace's own, or the operator's; `undefined` where none takes it. */
  carrier: string | undefined;
  /** Where it will wait. */
  route: string;
  reasons: ServiceError[];
  warnings: DraftWarning[];
}

/** Looks at one side of a draft: notes what stands against it, and what it decides for it. Awaits nothing where it needs nothing. */
export type Check = (
  draft: EmailDraft,
  context: ReadContext<"api_key" | "emails:test" | "campaigns:write">,
) => void | Promise<void>;

export function createDraft(
  { runtime }: Pick<ReadContext, "runtime">,
  sending: SendingContext,
  source: DraftSource,
  fields: SendFields,
  { isTest = false, suppressed }: { isTest?: boolean; suppressed?: EmailDraft["suppressed"] } = {},
): EmailDraft {
  const id = runtime.newId();
  return {
    id,
    unsubscribe: openUnsubscription(runtime, { ...fields, workspaceId: sending.workspaceId, emailId: id }),
    sending,
    source,
    fields,
    isTest,
    suppressed,
    recipients: (["to", "cc", "bcc"] as const).flatMap((kind) =>
      fields[kind].map((one) => ({ kind, ...one })),
    ),
    from: undefined,
    requiresDomain: false,
    isSigned: false,
    subject: "",
    missing: [],
    files: noFiles,
    keptFiles: undefined,
    carrier: undefined,
    route: workspaceRoute(sending.workspaceId),
    reasons: [],
    warnings: [],
  };
}

import type { CalendarObject } from "../../ports/mailer.ts";
import type { Runtime } from "../../service/runtime.ts";
import type { SealedFile } from "../attachments/sealed-files.ts";
import type { EmailDraft } from "./email-draft.ts";

/** What is sealed of an e-mail: the values of its template, and of one that is marked as sensitive, all that it says. */
export interface SealedContent {
  data: Record<string, unknown>;
  /** In place of the empty one that the log shows. */
  subject?: string;
  /** Of one without a template. */
  body?: { html: string; text: string };
  calendar?: CalendarObject;
  /** Its files in order: their names, and what opens them. */
  files?: SealedFile[];
}

type Sealable = Pick<EmailDraft, "source" | "subject" | "fields" | "keptFiles">;

const placeOf = (emailId: string): string => `emails:data:${emailId}`;

/** Seals what a sensitive e-mail says, with the subject rendered. */
export function sealContent(
  runtime: Pick<Runtime, "secrets">,
  emailId: string,
  { source, subject, fields: { calendar }, keptFiles }: Sealable,
): string {
  const data = source.kind === "version" ? source.data : {};
  const files = keptFiles?.sealed;
  const also = { ...(calendar && { calendar }), ...(files && { files }) };
  if (source.kind !== "literal") return seal(runtime, emailId, { data, subject, ...also });
  const { html, text } = source.content;
  return seal(runtime, emailId, { data, subject, body: { html, text }, ...also });
}

/** Seals what only delivering may read. */
export const seal = (runtime: Pick<Runtime, "secrets">, emailId: string, content: SealedContent): string =>
  runtime.secrets.seal(JSON.stringify(content), placeOf(emailId));

/** Reads it again. Throws where it is damaged, or was sealed with another key. */
export const unseal = (runtime: Pick<Runtime, "secrets">, emailId: string, sealed: string): SealedContent =>
  JSON.parse(runtime.secrets.open(sealed, placeOf(emailId))) as SealedContent;

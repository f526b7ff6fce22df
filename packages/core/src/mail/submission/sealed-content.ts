import type { CalendarObject } from "../../ports/mailer.ts";
import type { Runtime } from "../../service/runtime.ts";
import type { SealedFile } from "../attachments/sealed-files.ts";
import type { EmailDraft } from "./email-draft.ts";

/** Sealed data of an e-mail: the values of its template, and the whole content of a sensitive one. */
export interface SealedContent {
  data: Record<string, unknown>;
  /** The subject, as the log shows an empty one. */
  subject?: string;
  /** Html and text of an e-mail without a template. */
  body?: { html: string; text: string };
  calendar?: CalendarObject;
  /** Its files in order: their names, and their decryption keys. */
  files?: SealedFile[];
}

type Sealable = Pick<EmailDraft, "source" | "subject" | "fields" | "keptFiles">;

/** The context that the data of an e-mail is sealed for. */
export const contentContext = (emailId: string): string => `emails:data:${emailId}`;

/** Seals the content of a sensitive e-mail, with the rendered subject. */
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

/** Seals values that only delivery may read. */
export const seal = (runtime: Pick<Runtime, "secrets">, emailId: string, content: SealedContent): string =>
  runtime.secrets.seal(JSON.stringify(content), contentContext(emailId));

/** Decrypts sealed values. Throws `SecretUnreadable` if they are damaged or were sealed with another key. */
export const unseal = (runtime: Pick<Runtime, "secrets">, emailId: string, sealed: string): SealedContent =>
  JSON.parse(runtime.secrets.open(sealed, contentContext(emailId))) as SealedContent;

import { findingOf, mentionsOf, type ProviderReport, type ToldRecipient } from "./provider-report.ts";
import { listAt, textAt } from "./read-at.ts";

const kinds: ReadonlyMap<string, ToldRecipient["kind"]> = new Map([
  ["email.bounced", "bounce"],
  ["email.complained", "complaint"],
  ["email.delivery_delayed", "delay"],
]);

/** Parses a webhook of Resend: one event of one e-mail. */
export function readResend(body: unknown): ProviderReport[] {
  const kind = kinds.get(textAt(body, "type"));
  if (kind === undefined) return [];
  const isPassing = textAt(body, "data", "bounce", "type") === "Transient";
  // The message is Resend's own explanation; the server's reply is beside it.
  const reply =
    textAt(body, "data", "bounce", "diagnosticCode", "0") || textAt(body, "data", "bounce", "message");
  // Resend names all to whom the e-mail was addressed, not the one whom the event is about.
  const findings = listAt(body, "data", "to")
    .slice(0, 50)
    .map((one) => textAt(one))
    .filter((address) => address !== "")
    .map((address) =>
      findingOf({ kind, address, status: isPassing ? "4.0.0" : "", reply, isUndecided: true }),
    );
  if (findings.length === 0) return [];
  const mentions = mentionsOf(listAt(body, "data", "headers"), [textAt(body, "data", "message_id")]);
  return [{ findings, mentions, remoteId: textAt(body, "data", "email_id") }];
}

import { findingOf, mentionsOf, type ProviderReport, type ToldRecipient } from "./provider-report.ts";
import { textAt } from "./read-at.ts";

/** Parses a webhook of Mailgun: one event. */
export function readMailgun(body: unknown): ProviderReport[] {
  const told = toldOf(body);
  if (told === undefined || told.address === "") return [];
  const id = textAt(body, "event-data", "message", "headers", "message-id");
  return [{ findings: [findingOf(told)], mentions: mentionsOf([], [id]), remoteId: id }];
}

function toldOf(body: unknown): ToldRecipient | undefined {
  const address = textAt(body, "event-data", "recipient");
  const event = textAt(body, "event-data", "event");
  if (event === "complained") return { kind: "complaint", address };
  // Mailgun's own suppressions are no refusal by a server.
  if (event !== "failed" || /^suppress/.test(textAt(body, "event-data", "reason"))) return undefined;
  const said = (key: string): string => textAt(body, "event-data", "delivery-status", key);
  return {
    kind: textAt(body, "event-data", "severity") === "temporary" ? "delay" : "bounce",
    address,
    status: said("enhanced-code") || said("code"),
    reply: said("message") || said("description"),
  };
}

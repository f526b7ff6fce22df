import {
  findingOf,
  mentionsOf,
  type ProviderReport,
  readEvents,
  type ToldRecipient,
} from "./provider-report.ts";
import { listAt, textAt } from "./read-at.ts";

/** Postmark's types that have no reply of a server (its bounce API). */
const types: ReadonlyMap<string, Pick<ToldRecipient, "kind" | "status">> = new Map([
  ["HardBounce", { kind: "bounce" }],
  ["BadEmailAddress", { kind: "bounce", status: "5.1.3" }],
  ["SoftBounce", { kind: "bounce", status: "4.0.0" }],
  ["Transient", { kind: "delay", status: "4.0.0" }],
  ["DnsError", { kind: "bounce", status: "4.4.4" }],
  ["Blocked", { kind: "bounce", status: "5.7.1" }],
  ["SpamNotification", { kind: "bounce", status: "5.7.1" }],
  ["VirusNotification", { kind: "bounce", status: "5.7.1" }],
  ["DMARCPolicy", { kind: "bounce", status: "5.7.26" }],
  ["SMTPApiError", { kind: "bounce" }],
  ["Unknown", { kind: "bounce" }],
]);

/** Parses a webhook of Postmark about bounces and spam complaints. */
export const readPostmark = (body: unknown): ProviderReport[] =>
  readEvents(body, (event) => {
    const told = toldOf(event);
    if (told === undefined || told.address === "") return undefined;
    const texts = [textAt(event, "Metadata", "email_id")];
    const mentions = mentionsOf(listAt(event, "Headers"), texts);
    return { findings: [findingOf(told)], mentions, remoteId: textAt(event, "MessageID") };
  });

function toldOf(event: unknown): ToldRecipient | undefined {
  const address = textAt(event, "Email");
  const record = textAt(event, "RecordType");
  if (record === "SpamComplaint") return { kind: "complaint", address };
  if (record !== "Bounce") return undefined;
  const type = types.get(textAt(event, "Type"));
  return type === undefined
    ? undefined
    : { ...type, address, reply: textAt(event, "Details") || textAt(event, "Description") };
}

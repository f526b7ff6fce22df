import {
  findingOf,
  mentionsOf,
  type ProviderReport,
  readEvents,
  type ToldRecipient,
} from "./provider-report.ts";
import { textAt } from "./read-at.ts";

/**
 * Parses SendGrid's event webhook: a list of events, each about one recipient. Mail that SendGrid itself dropped is
 * ignored, because no server refused it.
 */
export const readSendgrid = (body: unknown): ProviderReport[] =>
  readEvents(body, (event) => {
    const told = toldOf(event);
    if (told === undefined || told.address === "") return undefined;
    const mentions = mentionsOf([], [textAt(event, "smtp-id"), textAt(event, "email_id")]);
    const [remoteId = ""] = textAt(event, "sg_message_id").split(".", 1);
    return { findings: [findingOf(told)], mentions, remoteId };
  });

function toldOf(event: unknown): ToldRecipient | undefined {
  const address = textAt(event, "email");
  const type = textAt(event, "event");
  if (type === "spamreport") return { kind: "complaint", address };
  if (type !== "bounce" && type !== "deferred") return undefined;
  return {
    kind: type === "bounce" ? "bounce" : "delay",
    address,
    status: textAt(event, "status"),
    reply: textAt(event, "reason") || textAt(event, "response"),
  };
}

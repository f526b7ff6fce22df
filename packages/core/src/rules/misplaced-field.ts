import { nearestName } from "./nearest-name.ts";
import { snakeCase } from "./snake-case.ts";

/** The two ways to send one e-mail, with the fields that only this one takes. */
const waysToSend = [
  { call: "emails.send", route: "POST /emails/send", own: ["html", "text"] },
  {
    call: "emails.sendTemplate",
    route: "POST /emails/send-template",
    own: ["template", "templateData", "templateVersionId", "allowMissing"],
  },
];

/**
 * Returns the field, and the other way to send that takes it, which somebody most likely meant who gave a way with the
 * fields `known` an unknown one; `undefined` for all other fields. Both are named as in the library, or as over HTTP.
 */
export function misplacedField(
  name: string,
  known: Iterable<string>,
  over: "call" | "route",
): string | undefined {
  const fields = new Set(known);
  if (!fields.has("to")) return undefined;
  const [given, ...others] = waysToSend.filter(({ own: [first = ""] }) => fields.has(first));
  // An e-mail of a batch takes both.
  if (given === undefined || others.length > 0) return undefined;
  for (const way of waysToSend.filter((one) => one !== given)) {
    const meant = nearestName(name, over === "call" ? way.own : way.own.map(snakeCase));
    if (meant !== undefined) return `${meant} of ${way[over]}`;
  }
  return undefined;
}

import { ambiguous, fine, type Verdict, wrong } from "./verdict.ts";

/** Judges the CNAME record of a tracking host, given as its target, which must be `host`. */
export function judgeAlias(texts: readonly string[], host: string): Verdict {
  const targets = texts.map((text) => text.replace(/\.$/, "").toLowerCase());
  const other = targets.find((target) => target !== host);
  if (other === undefined) return fine;
  if (targets.length > 1)
    return ambiguous("several", "A name can have only one CNAME record. Keep only the value shown.");
  if (other.startsWith(`${host}.`))
    return wrong(
      "other_value",
      `The record leads to ${other}: the DNS panel adds the zone to the value. Type it with a dot at the end.`,
    );
  return wrong("other_value", `The record leads to ${other}. Use the value shown.`);
}

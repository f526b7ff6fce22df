import { ambiguous, fine, type Verdict, wrong } from "./verdict.ts";

/** Judges the MX records of a return path, each given as preference, blank and host. All of them must name `host`. */
export function judgeExchanges(texts: readonly string[], host: string): Verdict {
  const hosts = texts.map((text) =>
    text
      .replace(/^\d+\s+/, "")
      .replace(/\.$/, "")
      .toLowerCase(),
  );
  const others = hosts.filter((one) => one !== host);
  if (others.length === 0) return fine;
  if (others.length === hosts.length)
    return wrong("other_value", `Returned mail goes to ${others[0] || "nobody"}. Use the value shown.`);
  return ambiguous(
    "several",
    `There are other hosts beside ${host}, and mail returned to them is lost. Keep only the value shown.`,
  );
}

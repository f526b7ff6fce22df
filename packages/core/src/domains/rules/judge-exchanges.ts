import { ambiguous, fine, type Verdict, wrong } from "./verdict.ts";

/** What the MX records of a return path come to, each as preference, blank and host. All of them must lead to `host`. */
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
    return wrong(
      "other_value",
      `What comes back is led to ${others[0] || "nobody"}. Put in the value shown.`,
    );
  return ambiguous(
    "several",
    `Other hosts stand beside ${host}, and what comes back to them is lost: leave only the value shown.`,
  );
}

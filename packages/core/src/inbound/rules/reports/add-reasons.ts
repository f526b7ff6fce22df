import { codeOf, enhancedCodeOf } from "../bounces/classify-refusal.ts";
import { replyLine, withoutPreface } from "../bounces/reply-line.ts";
import { findReasons, maxAddresses } from "./find-reasons.ts";
import type { Finding } from "./report.ts";

/** OpenSMTPD (6.8) reports a message that it gave up with `Action: delayed`; only its text tells. */
const givenUp = "Envelope expired";

/**
 * Adds the reasons that a notification gives in its text for people alone: OpenSMTPD's machine-readable part has `5.0.0`
 * for every failure, and no reply. The author of both is the same, so the text is as certain, unless it contradicts the
 * machine-readable part, which then stands alone.
 */
export function addReasons(findings: Finding[], text: string): Finding[] {
  const hasNoReply = ({ reply, status }: Finding): boolean => reply === (status ?? "");
  const silent = new Set(findings.filter(hasNoReply).slice(0, maxAddresses));
  if (silent.size === 0) return findings;
  const reasonOf = findReasons(
    text,
    findings.flatMap(({ addresses }) => addresses),
  );
  return findings.map((one) => {
    if (!silent.has(one)) return one;
    const reason = one.addresses.map((address) => reasonOf(address)).find((found) => found !== "");
    const reply = replyLine(withoutPreface(reason ?? ""));
    if (reply === "" || contradicts(reply, one.status)) return one;
    return { ...one, reply, kind: reply === givenUp ? "bounce" : one.kind };
  });
}

/** Whether a reply has a code of another class than the status, or another enhanced code than one that says more than `5.0.0`. */
function contradicts(reply: string, status: string | undefined): boolean {
  if (status === undefined) return false;
  const enhanced = enhancedCodeOf(reply, undefined, "");
  const code = String(codeOf(reply) ?? enhanced ?? status);
  if (code.charAt(0) !== status.charAt(0)) return true;
  return enhanced !== undefined && enhanced !== status && !status.endsWith(".0.0");
}

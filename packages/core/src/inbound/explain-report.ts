import type { InboundKind } from "../ports/storage/reports.ts";
import { kindOf } from "./kind-of.ts";
import { bounceCategories } from "./rules/bounce-categories.ts";
import { classifyRefusal } from "./rules/classify-refusal.ts";
import { type OwnBounceRule, readBounceRules } from "./rules/own-bounce-rules.ts";
import { readReport } from "./rules/read-report.ts";

/** What a message that came back says of one recipient. */
export interface ExplainedFinding {
  kind: "bounce" | "delay" | "complaint";
  addresses: string[];
  class: string;
  category: string;
  enhancedCode: string | undefined;
  reply: string;
  /** Whether, and when, an address is suppressed for it: `at_once`, `second` (a day or more after the first), `counted` or `never`. */
  suppress: "at_once" | "second" | "counted" | "never";
}

/** What a message that came back says, as far as it can be told without a database. */
export interface ExplainedReport {
  kind: InboundKind;
  findings: ExplainedFinding[];
  /** Signed tokens as they stand there: whose they are, only the service knows. */
  tokens: string[];
  /** Ids of e-mails that it names. */
  emailIds: string[];
}

/**
 * Reads a message that came back, one character a byte, and says what it would do. `rules`: the operator's own, as `bounceRules` has them;
 * throws a TypeError for one that can't be read.
 */
export function explainReport(message: string, rules: readonly OwnBounceRule[] = []): ExplainedReport {
  const own = readBounceRules(rules);
  const report = readReport(message);
  return {
    kind: kindOf(report),
    findings: report.findings.map(({ kind, addresses, status, reply, feedback, isStructured }) => {
      if (kind === "complaint") {
        const told = { class: "complaint", category: feedback ?? "abuse", enhancedCode: undefined };
        return { kind, addresses, reply, ...told, suppress: "at_once" };
      }
      const bounce = classifyRefusal({ status, reply, stage: "recipient" }, own);
      const { suppress } = bounceCategories[bounce.category];
      return {
        kind,
        addresses,
        reply,
        ...bounce,
        suppress: kind === "bounce" && isStructured ? suppress : "never",
      };
    }),
    tokens: report.mentions.tokens,
    emailIds: report.mentions.emailIds,
  };
}

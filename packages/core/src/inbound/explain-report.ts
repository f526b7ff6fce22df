import type { InboundKind } from "../ports/storage.ts";
import { bounceCategories } from "./rules/bounces/bounce-categories.ts";
import { classifyRefusal } from "./rules/bounces/classify-refusal.ts";
import { type OwnBounceRule, readBounceRules } from "./rules/bounces/own-bounce-rules.ts";
import { isAnothers } from "./rules/reports/is-anothers.ts";
import { readReport } from "./rules/reports/read-report.ts";

/** What a returned message says about one recipient. */
export interface ExplainedFinding {
  kind: "bounce" | "delay" | "complaint";
  addresses: string[];
  class: string;
  category: string;
  enhancedCode: string | undefined;
  reply: string;
  /**
   * Whether, and when, the address is suppressed: `at_once`, `second` (a day or more after the first), `counted` or
   * `never`.
   */
  suppress: "at_once" | "second" | "counted" | "never";
}

/** What a returned message says, as far as it can be determined without a database. */
export interface ExplainedReport {
  kind: InboundKind;
  findings: ExplainedFinding[];
  /** Signed tokens as found in the message; only the service can tell which e-mails they belong to. */
  tokens: string[];
  /** Ids of the e-mails mentioned. */
  emailIds: string[];
}

/**
 * Parses a returned message, given with one character per byte, and explains its effects. `rules`: the operator's own,
 * as in `bounceRules`; throws a `TypeError` for an invalid one.
 */
export function explainReport(message: string, rules: readonly OwnBounceRule[] = []): ExplainedReport {
  const own = readBounceRules(rules);
  const report = readReport(message);
  return {
    kind: report.kind,
    findings: report.findings.map(
      ({ kind, addresses, status, reply, unreached, feedback, isStructured, isShared = false }) => {
        if (kind === "complaint") {
          const told = { class: "complaint", category: feedback ?? "abuse", enhancedCode: undefined };
          return { kind, addresses, reply, ...told, suppress: "at_once" };
        }
        const bounce = classifyRefusal(
          { status, reply, unreached, stage: "recipient", isShared, addresses },
          own,
        );
        const { suppress } = bounceCategories[bounce.category];
        const isCertain = isStructured && !isAnothers({ kind, addresses }, addresses[0] ?? "");
        return {
          kind,
          addresses,
          reply,
          ...bounce,
          suppress: kind === "bounce" && isCertain ? suppress : "never",
        };
      },
    ),
    tokens: report.mentions.tokens,
    emailIds: report.mentions.emailIds,
  };
}

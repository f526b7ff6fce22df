import type { InboundKind } from "../ports/storage/reports.ts";
import type { Report } from "./rules/report.ts";

/** What a message is that came back, in the words of the interface. */
export const kindOf = ({ kind }: Pick<Report, "kind">): InboundKind =>
  kind === "delivery" ? "notification" : kind === "feedback" ? "complaint" : kind;

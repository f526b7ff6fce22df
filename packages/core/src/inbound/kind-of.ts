import type { InboundKind } from "../ports/storage/reports.ts";
import type { Report } from "./rules/report.ts";

/** Returns the kind of a returned message, named as in the API. */
export const kindOf = ({ kind }: Pick<Report, "kind">): InboundKind =>
  kind === "delivery" ? "notification" : kind === "feedback" ? "complaint" : kind;

import { feedReport } from "./feed-report.ts";
import { getReport } from "./get-report.ts";
import { listReports } from "./list-reports.ts";
import { receiveReport } from "./receive-report.ts";
import { knowsAddress, takeInMessage } from "./take-in-message.ts";

/** Incoming reports about e-mails: bounces, delays and complaints. */
export const inbound = {
  feed: feedReport,
  receive: receiveReport,
  knowsAddress,
  takeInMessage,
  list: listReports,
  get: getReport,
} as const;

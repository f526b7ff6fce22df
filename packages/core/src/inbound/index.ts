import { feedReport } from "./feed-report.ts";
import { getReport } from "./get-report.ts";
import { listReports } from "./list-reports.ts";
import { knowsAddress, receiveMessage } from "./receive-message.ts";
import { receiveReport } from "./receive-report.ts";

/** Incoming reports about e-mails: bounces, delays and complaints. */
export const inbound = {
  feed: feedReport,
  receive: receiveReport,
  knowsAddress,
  receiveMessage,
  list: listReports,
  get: getReport,
} as const;

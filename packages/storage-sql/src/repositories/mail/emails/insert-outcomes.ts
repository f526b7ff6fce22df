import { bulkInsert } from "../../../bulk-insert.ts";

/** Notes what became of e-mails, for each once. */
export const insertOutcomes = bulkInsert("email_outcomes");

import { bulkInsert } from "../../../bulk-insert.ts";

/** Records e-mails' outcomes, once for each. */
export const insertOutcomes = bulkInsert("email_outcomes");

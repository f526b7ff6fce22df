import type { EmailFilter } from "@posthorn/core/storage";
import type { ExpressionBuilder } from "kysely";
import { labelOfEntry, labelOfTag } from "../../../email-labels.ts";
import type { Handle } from "../../../engine.ts";
import type { Database } from "../../../tables.ts";

type Within = Pick<EmailFilter, "workspaceId">;

/** Rows of one label. */
const rowsOf = (db: Handle, { workspaceId }: Within, label: string) => {
  const rows = db.selectFrom("email_labels as l").where("l.label", "=", label);
  return workspaceId === "all" ? rows : rows.where("l.workspace_id", "=", workspaceId);
};

/** Rows of the first label whose e-mails also have the others, with one lookup each. */
export function rowsOfAll(db: Handle, within: Within, [first = "", ...others]: readonly string[]) {
  let rows = rowsOf(db, within, first);
  for (const label of others)
    rows = rows.where((eb) =>
      eb.exists(
        eb
          .selectFrom("email_labels as other")
          .select("other.email_id")
          .whereRef("other.email_id", "=", "l.email_id")
          .where("other.label", "=", label),
      ),
    );
  return rows;
}

/** Number of rows that are read to decide whether a filter matches few e-mails. */
export const enough = 1_000;

/** The labels of a filter. */
export interface Labels {
  /** Rarest first: its rows are scanned, and the others looked up. */
  names: string[];
  /** Whether few e-mails have the first label. */
  isRare: boolean;
}

/** Finds out how rare labels are, by reading a bounded number of rows of each. */
export async function readLabels(db: Handle, filter: EmailFilter): Promise<Labels> {
  const { tag, metadata = {} } = filter;
  const names = [
    ...(tag === undefined ? [] : [labelOfTag(tag)]),
    ...Object.entries(metadata).map(([key, value]) => labelOfEntry(key, value)),
  ];
  const counted: { name: string; rows: number }[] = [];
  for (const name of names) {
    const rows = await rowsOf(db, filter, name).select("l.email_id").limit(enough).execute();
    counted.push({ name, rows: rows.length });
  }
  counted.sort((one, other) => one.rows - other.rows);
  const [first] = counted;
  return { names: counted.map(({ name }) => name), isRare: first !== undefined && first.rows < enough };
}

/** Condition that the e-mail has a label, for a query driven by another filter. */
export const hasLabel = (eb: ExpressionBuilder<Database & { e: Database["emails"] }, "e">, label: string) =>
  eb.exists(
    eb
      .selectFrom("email_labels")
      .select("email_labels.email_id")
      .whereRef("email_labels.email_id", "=", "e.id")
      .where("email_labels.label", "=", label),
  );

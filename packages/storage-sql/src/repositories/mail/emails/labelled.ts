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

/** The rows of the first label whose e-mails have the others as well, a look each. */
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

/** Rows of a label that are looked at to find out how rare it is. */
const enough = 1_000;

/** The labels that a filter asks for. */
export interface Labels {
  /** The rarest first: its rows are walked, and the others looked for there. */
  names: string[];
  /** Whether the first is on few e-mails. */
  isRare: boolean;
}

/** Finds out how rare labels are, by looking at a bounded number of rows of each. */
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

/** Has its e-mail's label looked for, where its e-mail is looked at for another reason. */
export const hasLabel = (eb: ExpressionBuilder<Database & { e: Database["emails"] }, "e">, label: string) =>
  eb.exists(
    eb
      .selectFrom("email_labels")
      .select("email_labels.email_id")
      .whereRef("email_labels.email_id", "=", "e.id")
      .where("email_labels.label", "=", label),
  );

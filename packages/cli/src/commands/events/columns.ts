import type { FollowedEvent } from "../../program/connection/api.ts";
import { readable } from "../../terminal/report-done.ts";
import type { Column } from "../../terminal/table.ts";

/** Columns of a list of events. */
export const columns: Column<FollowedEvent>[] = [
  { title: "ID", cell: ({ id }) => id, align: "right" },
  { title: "TIME", cell: ({ created_at }) => readable(created_at) },
  { title: "TYPE", cell: ({ type }) => type, narrow: "repeated" },
  { title: "WORKSPACE", cell: ({ workspace_id }) => workspace_id, align: "right", narrow: "spare" },
  { title: "MESSAGE", cell: ({ message }) => message, narrow: "cut" },
  { title: "E-MAIL", cell: ({ metadata }) => emailOf(metadata), narrow: "spare" },
];

/** The e-mail that an event is about, which its message does not name. */
const emailOf = (metadata: string): string | undefined =>
  (JSON.parse(metadata) as { email_id?: string }).email_id;

import type { EmailDetails } from "../../service/wait-for-email.ts";
import { readable } from "../../terminal/report-done.ts";

type Recipient = EmailDetails["recipients"][number];
type Hits = EmailDetails["opens"];
type Read = Pick<EmailDetails, "opens" | "clicks">;

/** Returns the sums of an e-mail's openings and clicks in words, of those that there are. */
export const hitFields = ({ opens, clicks }: Read): Record<string, string> => ({
  ...(opens === null ? {} : { opens: hitWords(opens) }),
  ...(clicks === null ? {} : { clicks: hitWords(clicks) }),
});

const hitWords = ({ count, human_count: human }: NonNullable<Hits>): string =>
  `${count}, of which ${human} by people`;

/** Returns the columns of a recipient's first opening and first click, of those that the e-mail has. */
export const hitColumns = ({ opens, clicks }: Read): { title: string; cell(one: Recipient): string }[] => [
  ...(opens === null
    ? []
    : [{ title: "OPENED", cell: (one: Recipient) => firstOf(one.opened_at, one.opens) }]),
  ...(clicks === null
    ? []
    : [{ title: "CLICKED", cell: (one: Recipient) => firstOf(one.clicked_at, one.clicks) }]),
];

function firstOf(at: string | null, hits: Hits): string {
  if (at !== null) return readable(at);
  return hits === null ? "" : "by no person";
}

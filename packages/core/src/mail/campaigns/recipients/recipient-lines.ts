import type { z } from "zod";
import type { InputContext } from "../../../calls/input/json-object.ts";
import { templateDataField } from "../../../content/template-data-field.ts";
import { withAddressColumn } from "../../../files/address-column.ts";
import type { LineForm } from "../../../files/line-form.ts";
import type { CampaignRecipient } from "../../../ports/storage.ts";
import { addressOfCell } from "../../../rules/address-of-cell.ts";
import { parseMailbox, tooLongIn } from "../../../rules/addresses.ts";
import { unstorableText } from "../../../rules/unstorable-text.ts";

/** A recipient in a line, in the form that the storage takes. */
export type NamedRecipient = Pick<CampaignRecipient, "name" | "address" | "templateData">;

/** Reason why a line is skipped. */
export interface RecipientFault {
  value: string;
  message: string;
}

export const isRecipientFault = (read: NamedRecipient | RecipientFault): read is RecipientFault =>
  "message" in read;

/** Parses the lines of a campaign's list: an address, and a column for each placeholder, named as in the template. */
export const recipientLines: LineForm<NamedRecipient | RecipientFault> = {
  // The line holds the values of one recipient, quoted and escaped.
  maxLineBytes: 512 * 1024,
  mustBeUtf8: true,
  wanted: "the first line has neither a column email nor an address",
  columns(first) {
    const header = withAddressColumn(first);
    if (header !== undefined) return { names: header, isHeader: true };
    return parseMailbox(addressOfCell(first[0] ?? "")) && { names: ["email"], isHeader: false };
  },
  row(cells) {
    const { email = "", ...values } = Object.fromEntries(cells);
    const fault = faultOfCells(values);
    return fault === undefined ? recipientOf(email, values) : { value: email, message: fault };
  },
  object({ to, email, template_data: values = {}, ...unknown }) {
    const [stranger] = Object.keys(unknown);
    if (stranger !== undefined) return { value: stranger, message: "is not a field of a recipient" };
    if (to !== undefined && email !== undefined)
      return { value: String(email), message: "is given besides to" };
    return recipientOf(to ?? email ?? "", values);
  },
};

/** Returns what a line of NDJSON would be refused for, as a list is sent in either form, and split as NDJSON. */
function faultOfCells(values: Record<string, string>): string | undefined {
  for (const [column, cell] of Object.entries(values)) {
    if (column === "__proto__") return "template_data has the key __proto__";
    const ofColumn = unstorableText(column);
    if (ofColumn !== undefined) return `template_data has a key that ${ofColumn}`;
    const ofCell = unstorableText(cell);
    if (ofCell !== undefined) return `template_data.${column} ${ofCell}`;
  }
  return undefined;
}

/** A line's values are only measured: a check of each of many thousands takes far longer than parsing them. */
const wasJson: z.core.ParseContext<z.core.$ZodIssue> & InputContext = { jsonBytes: Number.POSITIVE_INFINITY };

function recipientOf(to: unknown, values: unknown): NamedRecipient | RecipientFault {
  const text = typeof to === "string" ? to.trim() : JSON.stringify(to);
  if (text === "") return { value: "", message: "has no address" };
  const mailbox =
    text.length <= 998 && typeof to === "string" ? parseMailbox(addressOfCell(text)) : undefined;
  if (mailbox === undefined) return { value: text, message: tooLongIn(text) ?? "is not an e-mail address" };
  const data = templateDataField.safeParse(values, wasJson);
  if (data.success) return { ...mailbox, templateData: data.data };
  return { value: text, message: `template_data ${data.error.issues[0]?.message ?? "can't be read"}` };
}

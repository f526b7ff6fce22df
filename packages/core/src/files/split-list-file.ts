import { recipientLines } from "../mail/campaigns/recipients/recipient-lines.ts";
import { suppressionLines } from "../suppressions/import/suppression-lines.ts";
import type { LineForm, ListFormat } from "./line-form.ts";
import { type RejectedLine, shortened } from "./list-file.ts";
import { readUntilFault } from "./read-lines.ts";

/** Maximum lines and bytes of a part. */
const most = { lines: 5_000, bytes: 4 * 1024 * 1024 };

/** A part of a list, in a form that an import accepts. */
export interface ListPart {
  /** The part as NDJSON. */
  content: Uint8Array<ArrayBuffer>;
  /** For each line of the part, its number in the file. */
  lines: number[];
  /** Lines of the file that could not be parsed. */
  rejected: RejectedLine[];
  /** The last line of the file that the part includes. */
  lastLine: number;
}

type Row = Record<string, unknown>;

/** Line formats that leave all validation to the import. */
const forms: Record<"suppressions" | "recipients", LineForm<Row>> = {
  suppressions: { ...suppressionLines, row: Object.fromEntries, object: (value) => value },
  recipients: {
    ...recipientLines,
    row(cells) {
      const { email = "", ...values } = Object.fromEntries(cells);
      return { to: email, template_data: values };
    },
    object: (value) => value,
  },
};

/**
 * Splits a file of any size into parts within the limits of an import, for a list of suppressions or of a campaign's
 * recipients. Only one part is in memory at a time. Throws `validation_failed` as the import does.
 */
export async function* splitListFile(
  content: AsyncIterable<Uint8Array>,
  { format, list, fromLine = 1 }: { format: ListFormat; list: keyof typeof forms; fromLine?: number },
): AsyncGenerator<ListPart, void, undefined> {
  let texts: string[] = [];
  let bytes = 0;
  let part: Omit<ListPart, "content"> = { lines: [], rejected: [], lastLine: 0 };
  const take = (): ListPart => {
    const whole = { ...part, content: Buffer.from(texts.join("")) };
    texts = [];
    bytes = 0;
    part = { lines: [], rejected: [], lastLine: part.lastLine };
    return whole;
  };
  const file = readUntilFault(content, format, forms[list]);
  for await (const { line, fields, value, fault } of file.lines) {
    if (line < fromLine) continue;
    part.lastLine = line;
    if (fields === undefined) part.rejected.push(shortened({ line, value, message: fault }));
    else {
      const text = `${JSON.stringify(fields)}\n`;
      part.lines.push(line);
      texts.push(text);
      bytes += Buffer.byteLength(text);
    }
    if (part.lines.length + part.rejected.length >= most.lines || bytes >= most.bytes) yield take();
  }
  if (part.lines.length + part.rejected.length > 0) yield take();
  file.assertWhole();
}

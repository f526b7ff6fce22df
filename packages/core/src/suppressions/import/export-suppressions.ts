import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { checkedPieces } from "../../files/checked-pieces.ts";
import type { FileView } from "../../mail/emails/get-email-attachment.ts";
import type { Suppression } from "../../ports/storage.ts";
import { hashedPrefix } from "../rules/hashed-key.ts";

/** Number of suppressions read at once. */
const pieceSize = 1_000;

/**
 * Exports all suppressions in a form that can be imported again (platform.md P8). They are read in pieces while they
 * are consumed, so that suppressions added in the meantime may be included or not. In CSV, a reason that a spreadsheet
 * would take for a formula is preceded by an apostrophe; an address never is.
 */
export const exportSuppressions = useCase({
  access: "suppressions:read",
  reads: true,
  readsOn: true,
  input: z.strictObject({
    format: z
      .enum(["csv", "ndjson"])
      .default("csv")
      .describe(
        "Format of the export: CSV, or NDJSON with one JSON object per line, which keeps all values unchanged. Default csv, or over HTTP the one of them that `Accept` prefers.",
      ),
  }),
  async run(context, { format }): Promise<FileView> {
    const lines = format === "csv" ? csvLine : jsonLine;
    const head = format === "csv" ? `${columns.join(",")}\r\n` : "";
    return {
      filename: `suppressions.${format}`,
      contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
      size: undefined,
      content: write(context, head, lines),
    };
  },
});

async function* write(
  context: ReadContext<"suppressions:read">,
  head: string,
  lineOf: (entry: Suppression) => string,
): AsyncGenerator<Uint8Array> {
  const { storage, workspace, now } = context;
  const piece = checkedPieces(context, "suppressions:read");
  if (head !== "") yield Buffer.from(head);
  for (let cursor: number | undefined = 0; cursor !== undefined; ) {
    const after: number = cursor;
    const { lines, next } = await piece(async () => {
      const entries = await storage.suppressions.listAfter(workspace.id, after, pieceSize, now);
      // Entries of erased addresses are left out: their hashes have no meaning in another installation.
      const told = entries.filter(({ addressKey }) => !addressKey.startsWith(hashedPrefix));
      return {
        lines: Buffer.from(told.map(lineOf).join("")),
        next: entries.length < pieceSize ? undefined : entries.at(-1)?.cursor,
      };
    });
    yield lines;
    cursor = next;
  }
}

const columns = ["email", "scope", "origin", "reason", "created_at", "expires_at"];

const time = (ms: number | undefined): string => (ms === undefined ? "" : new Date(ms).toISOString());

function csvLine({ address, scope, origin, reason, createdAt, expiresAt }: Suppression): string {
  const harmless = /^[=+\-@\t\r]/.test(reason) ? `'${reason}` : reason;
  const cells = [address, scope, origin, harmless, time(createdAt), time(expiresAt)];
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}

function jsonLine({ address, scope, origin, reason, createdAt, expiresAt }: Suppression): string {
  const [created_at, expires_at] = [time(createdAt), expiresAt === undefined ? null : time(expiresAt)];
  return `${JSON.stringify({ email: address, scope, origin, reason, created_at, expires_at })}\n`;
}

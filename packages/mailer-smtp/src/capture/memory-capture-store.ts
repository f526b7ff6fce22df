import { type CapturedMailDetail, type CaptureStore, summaryOf } from "./captured-mail.ts";

/**
 * Maximum characters of messages that are kept: a few mails with attachments may take as much memory as thousands
 * without.
 */
const maxKept = 256 * 1024 * 1024;

const sizeOf = ({ source, html, text }: CapturedMailDetail): number =>
  source.length + html.length + text.length;

/** Keeps the newest `limit` mails in memory, or fewer if they are large. */
export function createMemoryCaptureStore(limit: number): CaptureStore {
  const mails = new Map<string, CapturedMailDetail>();
  let kept = 0;
  return {
    async add(mail) {
      mails.set(mail.id, mail);
      kept += sizeOf(mail);
      for (const [id, oldest] of mails) {
        if ((mails.size <= limit && kept <= maxKept) || mails.size === 1) break;
        mails.delete(id);
        kept -= sizeOf(oldest);
      }
    },
    list: () => [...mails.values()].reverse().map(summaryOf),
    find: (id) => mails.get(id),
    clear() {
      mails.clear();
      kept = 0;
    },
  };
}

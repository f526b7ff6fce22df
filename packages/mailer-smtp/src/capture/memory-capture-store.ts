import { type CapturedMailDetail, type CaptureStore, summaryOf } from "./captured-mail.ts";

/** Keeps the newest `limit` mails in memory. */
export function createMemoryCaptureStore(limit: number): CaptureStore {
  const mails = new Map<string, CapturedMailDetail>();
  return {
    async add(mail) {
      mails.set(mail.id, mail);
      const oldest = mails.keys().next();
      if (mails.size > limit && !oldest.done) mails.delete(oldest.value);
    },
    list: () => [...mails.values()].reverse().map(summaryOf),
    find: (id) => mails.get(id),
    clear: () => mails.clear(),
  };
}

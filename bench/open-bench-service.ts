import { createPosthorn, type Mailer, type Posthorn } from "@posthorn/core";
import type { NewEmail, Storage } from "@posthorn/core/storage";
import { benchSecretKey } from "./bench-secret-key.ts";
import { html, subject, text } from "./mail.ts";
import { openBenchStorage } from "./open-bench-storage.ts";

/**
 * A service in this process with two workspaces and a content, and a function that fills its queue without acceptance.
 */
export interface BenchService {
  posthorn: Posthorn;
  storage: Storage;
  workspaces: readonly [number, number];
  contentId: number;
  /** Inserts that many e-mails, a thousand per transaction, and notifies workers. */
  insert(count: number, emailOf: (number: number) => NewEmail): Promise<void>;
  close(): Promise<void>;
}

export async function openBenchService(
  url: string,
  given: Pick<Mailer, "send" | "concurrency"> & Partial<Mailer>,
): Promise<BenchService> {
  const storage = await openBenchStorage(url);
  const mailer: Mailer = { verify: async () => undefined, close: async () => {}, ...given };
  const posthorn = createPosthorn({ storage, mailer, secretKey: benchSecretKey });
  await posthorn.migrate();
  const password = "correct horse battery";
  const { id } = await posthorn.users.create({ name: "Ann", email: "ann@example.com", password });
  const open = async (name: string) => (await posthorn.workspaces.createFor({ name, userId: id })).id;
  const workspaces = [await open("Busy"), await open("Quiet")] as const;
  const contentId = await storage.contents.put({ subject, html, text });
  return {
    posthorn,
    storage,
    workspaces,
    contentId,
    async insert(count, emailOf) {
      for (let from = 0; from < count; from += 1_000) {
        const size = Math.min(1_000, count - from);
        const emails = Array.from({ length: size }, (_, at) => emailOf(from + at));
        await storage.transaction((repositories) => repositories.emails.insert(emails));
      }
      await storage.notify(["emails"]);
    },
    async close() {
      await posthorn.close();
      await mailer.close();
      await storage.close();
    },
  };
}

import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CapturedMail, type CapturedMailDetail, type CaptureStore, summaryOf } from "./captured-mail.ts";

const suffix = ".json";

/**
 * Keeps the newest `limit` mails as files: `<id>.eml` holds the message, `<id>.json` its metadata. All processes that
 * open the directory see all mails. Creates the directory, accessible only to its owner.
 */
export function createDirectoryCaptureStore(directory: string, limit: number): CaptureStore {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // A captured mail never changes, so each summary is read from disk once.
  const summaries = new Map<string, CapturedMail>();
  const between = Math.max(1, Math.floor(limit / 10));
  // The first mail prunes as well, as a process may capture only a few.
  let sincePruned = between;

  const newestFirst = () =>
    readdirSync(directory)
      .filter((name) => isCapture(name))
      .map((name) => name.slice(0, -suffix.length))
      .sort()
      .reverse();
  const summary = (id: string): CapturedMail | undefined => {
    const mail = summaries.get(id) ?? readMail(directory, id);
    if (mail !== undefined) summaries.set(id, summaryOf(mail));
    return summaries.get(id);
  };
  /** Leaves room for one more. */
  const prune = async () => {
    for (const id of newestFirst().slice(limit - 1)) {
      summaries.delete(id);
      // The sidecar is deleted first: without it the mail is no longer listed.
      await rm(join(directory, id + suffix), { force: true });
      await rm(join(directory, `${id}.eml`), { force: true });
    }
  };

  return {
    async add({ source, ...known }) {
      // Scanning the directory for each mail would make capturing n mails quadratic.
      sincePruned += 1;
      if (sincePruned >= between) {
        sincePruned = 0;
        // What fails after the mail is kept would have it captured again.
        await prune();
      }
      await writeAtomically(join(directory, `${known.id}.eml`), source);
      await writeAtomically(join(directory, known.id + suffix), JSON.stringify(known));
    },
    list() {
      const ids = newestFirst().slice(0, limit);
      const present = new Set(ids);
      for (const id of summaries.keys()) if (!present.has(id)) summaries.delete(id);
      return ids.flatMap((id) => summary(id) ?? []);
    },
    // The id may come from a URL: only ids of our own format may become a path.
    find: (id) => (isCapture(id + suffix) ? readMail(directory, id) : undefined),
    clear() {
      for (const id of newestFirst()) {
        rmSync(join(directory, id + suffix), { force: true });
        rmSync(join(directory, `${id}.eml`), { force: true });
      }
      summaries.clear();
    },
  };
}

function readMail(directory: string, id: string): CapturedMailDetail | undefined {
  try {
    const known = JSON.parse(readFileSync(join(directory, id + suffix), "utf8")) as Omit<
      CapturedMailDetail,
      "source"
    >;
    return { ...known, source: readFileSync(join(directory, `${id}.eml`), "utf8") };
  } catch {
    // Deleted by another process, or not one of our captures.
    return undefined;
  }
}

function isCapture(name: string): boolean {
  return /^[0-9a-f]{12}-[0-9a-f]{4}-[0-9a-f]{8}\.json$/.test(name);
}

async function writeAtomically(path: string, content: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, content, { mode: 0o600 });
  await rename(temporary, path);
}

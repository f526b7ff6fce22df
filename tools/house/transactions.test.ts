import { expect, test } from "vitest";
import { shipped } from "./source-files.ts";

const core = "packages/core/src/";
/** Core's files without comments, which may mention anything. */
const files = shipped
  .filter(({ path }) => path.startsWith(core) && !path.startsWith(`${core}testing/`))
  .map(({ path, text }) => ({
    path: path.slice(core.length),
    code: text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ""),
  }));
const naming = (word: RegExp): string[] =>
  files.flatMap(({ path, code }) => (word.test(code) ? [path] : [])).sort();

test("no use case uses the runtime's own storage, which is outside its transaction", () => {
  const useCases = files.filter(({ code }) => /\buseCase\(\{/.test(code));
  expect(useCases.length).toBeGreaterThan(150);
  // What it is given by type has none: `Runtime` alone has, which is for workers and the road in.
  const ways = /\bRuntime\b|\bruntime\??\.(?:storage|sending)\b/;
  expect(useCases.filter(({ code }) => ways.test(code)).map(({ path }) => path)).toEqual([]);
});

test("use cases that work outside of their call's transaction are listed", () => {
  expect(naming(/\boutside(?: \}|[,.:])/)).toEqual([
    "mail/campaigns/feeding/feed-campaign.ts",
    "mail/campaigns/feeding/feeding-context.ts",
  ]);
});

test("use cases that change long lists in pieces are listed", () => {
  expect(naming(/\bchangePiece\b/)).toEqual([
    "calls/execute.ts",
    "calls/own-pieces.ts",
    "calls/use-case.ts",
    "files/import-entry.ts",
    "inbound/receive-report.ts",
    "mail/batches/store-own-files.ts",
    "mail/campaigns/feeding/advance-campaign.ts",
    "mail/campaigns/feeding/feeding-context.ts",
    "mail/campaigns/feeding/pause-automatically.ts",
    "mail/emails/cancel-waiting.ts",
    "queue/operating/drop-due.ts",
  ]);
});

test("the runtime's own storage is used only by calls, the host's view and workers", () => {
  const own =
    /\bruntime\??\.storage\b|\bstorage\b[^{}=;]*\}\s*=\s*runtime\b|\bstorage\b[^;()=]*\}?: (?:Pick<)?Runtime\b/;
  const delivery = /^(?:mail|webhooks)\/delivery\//;
  expect(naming(own).filter((path) => !delivery.test(path))).toEqual([
    "calls/admit.ts",
    "calls/authenticate.ts",
    "calls/change-and-notify.ts",
    "calls/execute.ts",
    "calls/own-pieces.ts",
    "domains/verification/check-domains.ts",
    "domains/verification/recheck-moved-hosts.ts",
    "mail/campaigns/feeding/create-campaign-feeder.ts",
    "mail/campaigns/feeding/feeding-context.ts",
    "queue/heartbeat.ts",
    "queue/hourly-jobs.ts",
    "queue/restore-times.ts",
    "queue/restored-copy.ts",
    "queue/retention/remove-old.ts",
    "queue/worker.ts",
    "recipients/erasing.ts",
    "service/service.ts",
  ]);
});

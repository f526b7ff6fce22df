import { ServiceError } from "@posthorn/core";
import { acceptAll, answerAll, type World } from "@posthorn/core/testing";
import fc from "fast-check";

const minute = 60_000;
const addresses = ["ada@example.com", "bob@example.com", "eve@other.example", "joe@gmail.com"];
const answers = [
  acceptAll,
  answerAll("refused", 550, "550 5.7.1 rejected by policy"),
  answerAll("deferred", 450, "450 4.2.0 try later"),
  answerAll("refused", undefined, "the message could not be composed"),
];

/** What can happen to a workspace's mail; a number chooses whom and which. */
const kinds = [
  ...(["send", "send", "send", "sendBatch", "sendBatch", "deliver", "deliver"] as const),
  "cancel",
  "cancelBatch",
  "reschedule",
  "retry",
  "remove",
  "forget",
  "empty",
  "suppress",
  "admit",
  "erase",
  "wait",
] as const;

/** An operation on a workspace's mail. */
export interface Operation {
  kind: (typeof kinds)[number];
  n: number;
}

const operation = fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(9_999) });

/** Groups of operations; those of a group are done at once. */
export const operations: fc.Arbitrary<Operation[][]> = fc.noBias(
  fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), {
    minLength: 10,
    maxLength: 30,
    size: "max",
  }),
);

const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length];

/** Chosen recipients, each once, as an e-mail's own. */
const chosen = (n: number): string[] => addresses.filter((_, at) => (n >> at) % 2 === 1 || at === n % 4);

const optionsOf = (n: number, now: number) => ({
  subject: `Subject ${n % 3}`,
  text: `Text ${n % 7}`,
  ...(n % 3 === 0 && { dedupeKey: `once ${n % 20}` }),
  ...(n % 4 === 1 && { scheduledAt: now + (n % 50) * minute }),
  ...(n % 5 === 0 && { tags: ["a", `b${n % 2}`], metadata: { order: n % 9 } }),
  ...(n % 6 === 0 && {
    attachments: [{ filename: "a.txt", content: Buffer.from(`${n % 2}`).toString("base64") }],
  }),
  ...(n % 7 === 0 && { sensitive: true }),
});

/** Returns the function that does an operation on the workspace's mail. That the service may refuse it is no fault. */
export function mailAtRandom(
  { posthorn, storage, clock, mailer }: World,
  workspaceId: number,
): (operation: Operation) => Promise<void> {
  const host = { workspaceId };
  const sent: Record<"emails" | "batches", string[]> = { emails: [], batches: [] };
  const { emails } = posthorn;
  const old = (n: number) => [workspaceId, clock.now() - (n % 40) * minute, 1 + (n % 5)] as const;
  const keys = (n: number) => (n % 8 === 0 ? { idempotencyKey: `key ${n % 40}` } : {});
  const room = (n: number) => ({ whenLimited: n % 2 === 0 ? ("defer" as const) : ("refuse" as const) });
  const some = (n: number) => pick(sent.emails, n) ?? crypto.randomUUID();
  const batch = (n: number) => pick(sent.batches, n) ?? crypto.randomUUID();
  const address = (n: number) => addresses[n % addresses.length] ?? "";
  const work: Record<Operation["kind"], (n: number) => Promise<unknown>> = {
    async send(n) {
      const input = { to: chosen(n), ...optionsOf(n, clock.now()), ...keys(n), ...room(n) };
      sent.emails.push((await emails.send(input, host)).id);
    },
    async sendBatch(n) {
      const list = Array.from({ length: 1 + (n % 6) }, (_, at) => ({
        to: chosen(n + at),
        ...optionsOf(n + at, clock.now()),
      }));
      const how = { onInvalid: "skip" as const, ...keys(n), ...room(n) };
      const made = await emails.sendBatch({ emails: list, ...how }, host);
      sent.batches.push(made.batchId);
      sent.emails.push(...made.emails.map(({ id }) => id));
    },
    async deliver(n) {
      mailer.answerWith(answers[n % answers.length]);
      await posthorn.drain();
    },
    cancel: (n) => emails.cancel({ emailId: some(n) }, host),
    cancelBatch: (n) => emails.cancelBatch({ batchId: batch(n) }, host),
    reschedule: (n) =>
      emails.reschedule({ emailId: some(n), scheduledAt: n % 2 === 0 ? null : clock.now() + minute }, host),
    retry: (n) => emails.retry({ emailId: some(n) }, host),
    remove: (n) => storage.emails.deleteBefore(...old(n)),
    forget: (n) => storage.emails.forgetContents(...old(n)),
    empty: (n) => storage.workspaces.empty(workspaceId, 1 + (n % 3)),
    suppress: (n) => posthorn.suppressions.create({ email: address(n) }, host),
    admit: (n) => posthorn.suppressions.delete({ email: address(n) }, host),
    erase: (n) => posthorn.recipients.erase({ email: address(n) }, host),
    async wait(n) {
      clock.advance((n % 90) * minute);
    },
  };
  return ({ kind, n }) =>
    work[kind](n).then(
      () => {},
      (error: unknown) => {
        if (!(error instanceof ServiceError) || error.code === "internal_error") throw error;
      },
    );
}

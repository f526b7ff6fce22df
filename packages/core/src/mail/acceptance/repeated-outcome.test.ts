import { expect, test } from "vitest";
import { type Decided, repeatedOutcome } from "./repeated-outcome.ts";
import type { Idempotency, Submission } from "./submission.ts";

/** A submission of one e-mail under the dedupe key `order`. */
const submissionOf = (workspaceId: number, id: string, idempotency?: Partial<Idempotency>): Submission =>
  ({ workspaceId, items: [{ email: { id }, dedupeKey: "order" }], idempotency }) as Submission;

const accepted = (submission: Submission): Decided => ({
  submission,
  outcome: { kind: "accepted", items: submission.items, duplicates: new Map() },
});

test("a dedupe key is answered with the e-mail of its own workspace, whichever else used that word", () => {
  const decided = [accepted(submissionOf(1, "theirs")), accepted(submissionOf(2, "own"))];
  expect(repeatedOutcome(submissionOf(2, "again"), decided)).toEqual({
    kind: "accepted",
    items: [],
    duplicates: new Map([["again", "own"]]),
  });
  expect(repeatedOutcome(submissionOf(3, "again"), decided)).toBeUndefined();
});

test("it does not answer a request under an idempotency key, which may have been used for another body", () => {
  const key = { apiKeyId: "key", key: "k", bodyDigest: "b" };
  const decided = [accepted(submissionOf(1, "first"))];
  expect(repeatedOutcome(submissionOf(1, "again", key), decided)).toBeUndefined();
});

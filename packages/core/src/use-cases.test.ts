import { expect, expectTypeOf, test } from "vitest";
import type { Page } from "./calls/paging.ts";
import type { OutputOf } from "./calls/use-case.ts";
import { useCases } from "./use-cases.ts";

type Aggregates = typeof useCases;

/** Verbs that begin with `list` but don't return a page; a compile error names them. */
type Unpaged = {
  [A in keyof Aggregates]: {
    [V in keyof Aggregates[A] & `list${string}`]: OutputOf<Aggregates[A][V]> extends Page<unknown>
      ? never
      : [A, V];
  }[keyof Aggregates[A] & `list${string}`];
}[keyof Aggregates];

test("every list returns a page", () => {
  expectTypeOf<Unpaged>().toBeNever();
  const lists = Object.values(useCases).flatMap((verbs) =>
    Object.keys(verbs).filter((verb) => verb.startsWith("list")),
  );
  expect(lists.length).toBeGreaterThan(10);
});

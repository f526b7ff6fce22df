import type { Repositories, Storage } from "@posthorn/core/storage";
import { testStorage } from "@posthorn/core/testing/contract";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { bearsNothingAfterEnd, type Library, libraries } from "../examples/own-transaction/test-libraries.ts";
import { openTestPostgres, testPostgresUrl } from "../packages/storage-postgres/test/open-test-storage.ts";

/** A transaction in which nothing ran before its end: later queries run on the connection, without an error. */
const blind = ["Drizzle", "postgres.js"];
const afterEnd = "calls after a transaction's end are refused, and written in no other";

/** A storage that runs each call and each transaction inside a transaction of the library. */
const within = (storage: Storage<unknown>, library: Library): Storage => {
  const inside = <T>(work: (repositories: Repositories) => Promise<T>): Promise<T> =>
    library.transaction(({ transaction }) => work(storage.within(transaction)));
  const wrapped = (key: string, repository: object): object =>
    new Proxy(repository, {
      get:
        (_, method: string) =>
        (...values: unknown[]) =>
          inside(async (repositories) => {
            const own = repositories[key as keyof Repositories] as unknown as Record<
              string,
              (...values: unknown[]) => unknown
            >;
            return own[method]?.(...values);
          }),
    });
  const entries = Object.entries(storage).map(([key, value]) => [
    key,
    typeof value === "object" && value !== null ? wrapped(key, value) : value,
  ]);
  return { ...(Object.fromEntries(entries) as Storage), transaction: inside };
};

describe.each(Object.entries(libraries))("the storage contract through %s", (name, open) => {
  let library: Library;
  beforeAll(async () => {
    library = await open(await testPostgresUrl());
  });
  afterAll(() => library.close());
  beforeEach(({ task, skip }) => {
    if (task.name !== afterEnd) return;
    if (bearsNothingAfterEnd(name)) skip("nothing is answered on a connection that was released");
    if (blind.includes(name)) skip("what is first asked of its transaction after the end can't be told");
  });

  testStorage(`PostgreSQL, by ${name}`, async () => within(await openTestPostgres(), library));
});

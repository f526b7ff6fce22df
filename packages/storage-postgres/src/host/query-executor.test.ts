import { expect, test } from "vitest";
import { executorOf, hostTransaction } from "./host-transaction.ts";

test.each([
  ["wraps the values", [{ sign: { value: "7 8.5" } }]],
  ["wraps the rows", [{ row: { sign: "7 8.5" } }]],
  ["answers no row", []],
])("a query that %s is told so, and not that the transaction has ended", async (_, rows) => {
  const host = executorOf(hostTransaction(async () => rows));
  await expect(host.sign()).rejects.toThrow(
    new TypeError(
      "hostTransaction's query must answer the statement's rows, or an object with its rows, as the server sends them: without a transformation by your library, such as postgres.js's transform",
    ),
  );
});

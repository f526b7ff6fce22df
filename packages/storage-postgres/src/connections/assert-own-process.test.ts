import type { ClientBase } from "pg";
import { expect, test } from "vitest";
import { assertOwnProcess, type WithClient } from "./assert-own-process.ts";

/**
 * Two connections through a pooler with these free processes. In transaction mode, a query takes the first of them, or
 * the last, and a transaction keeps it.
 */
const createPooler = ({ free, takes }: { free: number[]; takes: "first" | "last" }) => {
  const connect = (): ClientBase => {
    let kept: number | undefined;
    const take = () => (takes === "first" ? free.shift() : free.pop()) ?? 0;
    const query = async ({ text }: { text: string }) => {
      const process = kept ?? take();
      kept = text === "begin" ? process : text === "rollback" ? undefined : kept;
      if (kept === undefined) free.push(process);
      return { rows: [{ pid: process }] };
    };
    return { query } as unknown as ClientBase;
  };
  const other = connect();
  const withClient: WithClient = (work) => work(other);
  return { client: connect(), withClient };
};

const refusal = "a pooler in transaction mode gives the connection's process to others";

test.each([
  { free: [1], takes: "first" },
  { free: [1, 2], takes: "first" },
  { free: [1, 2], takes: "last" },
  { free: [1, 2, 3], takes: "first" },
  { free: [1, 2, 3], takes: "last" },
] as const)(
  "a pooler in transaction mode is found out, with the processes $free, of which it takes the $takes",
  async (processes) => {
    const { client, withClient } = createPooler({ ...processes, free: [...processes.free] });
    await expect(assertOwnProcess(client, withClient, 1_000)).rejects.toThrow(refusal);
  },
);

test("connections with processes of their own pass", async () => {
  const { client } = createPooler({ free: [1], takes: "first" });
  const { client: other } = createPooler({ free: [2], takes: "first" });
  await expect(assertOwnProcess(client, (work) => work(other), 1_000)).resolves.toBeUndefined();
});

test("another connection that does not answer to its transaction's begin ends the attempt", async () => {
  const { client } = createPooler({ free: [1], takes: "first" });
  const silent = {
    query: async ({ query_timeout: timeoutMs }: { query_timeout?: number }) => {
      if (timeoutMs === undefined) return new Promise(() => {});
      throw new Error("Query read timeout");
    },
  } as unknown as ClientBase;
  await expect(assertOwnProcess(client, (work) => work(silent), 1_000)).rejects.toThrow("Query read timeout");
});

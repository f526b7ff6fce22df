import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { createWorld, type TestWorkspace, type World } from "../world.ts";
import { codeOf } from "./code-of.ts";
import type { WatchedHost } from "./host-verbs.ts";

const mail = { subject: "Hi", text: "x", to: ["ada@example.com"], tags: ["a"] };

/** How e-mails are sent beside the deletion, and how many there are. */
const ways: Record<string, (world: World, workspaceId: number) => Promise<unknown>[]> = {
  "a send": ({ posthorn }, workspaceId) => [posthorn.emails.send(mail, { workspaceId })],
  "a send with keys and files": ({ posthorn }, workspaceId) => [
    posthorn.emails.send(
      {
        ...mail,
        idempotencyKey: "order 7",
        dedupeKey: "order 7",
        attachments: [{ filename: "a.txt", content: Buffer.from("a").toString("base64") }],
      },
      { workspaceId },
    ),
  ],
  "several sends": ({ posthorn }, workspaceId) =>
    Array.from({ length: 5 }, () => posthorn.emails.send(mail, { workspaceId })),
  "a batch": ({ posthorn }, workspaceId) => [
    posthorn.emails.sendBatch(
      {
        subject: "Hi",
        text: "x",
        recipients: Array.from({ length: 20 }, (_, n) => ({ to: `u${n}@example.com` })),
        idempotencyKey: "batch 7",
      },
      { workspaceId },
    ),
  ],
};

/** The contract that nothing of a deleted workspace stays behind, whatever it sends meanwhile, for every storage. */
export function testSendsBesideDeletion(
  name: string,
  open: () => Promise<Pick<WatchedHost, "storage" | "rows" | "close">>,
): void {
  describe(`${name}: sends beside the deletion of their workspace`, () => {
    let host: Awaited<ReturnType<typeof open>>;
    let world: World;
    let shop: TestWorkspace;
    /** What sends wait for before their transaction, and within it before its commit. */
    let before: PromiseWithResolvers<void> | undefined;
    let within: PromiseWithResolvers<void> | undefined;
    /** Called when a transaction of a send begins, and when one of a caller does. */
    let sends = (): void => {};
    let deletes = (): void => {};
    beforeEach(async () => {
      [before, within, sends, deletes] = [undefined, undefined, () => {}, () => {}];
      host = await open();
      const storage = host.storage as Storage;
      world = await createWorld({
        ...storage,
        workspaces: {
          ...storage.workspaces,
          markDeleting(...mark) {
            // A storage with one writer marks it once no transaction is open.
            if (!storage.isRemote) deletes();
            return storage.workspaces.markDeleting(...mark);
          },
        },
        async transaction(work, holder) {
          if (holder !== undefined) {
            deletes();
            return await storage.transaction(work, holder);
          }
          sends();
          await before?.promise;
          return await storage.transaction(async (repositories) => {
            const result = await work(repositories);
            await within?.promise;
            return result;
          });
        },
      });
      shop = await world.addWorkspace({ name: "Shop" });
      await world.posthorn.webhooks.create(
        { url: "https://hooks.example.com/", events: ["email.queued"] },
        shop.asOwner,
      );
    });
    afterEach(async () => {
      await world.close();
      await host.close();
    });

    const remove = () => world.posthorn.workspaces.delete({ name: "Shop" }, shop.asOwner);
    /** Rows of the workspace and of any e-mail; the audit log and the metrics outlive it. */
    async function rowsLeft(): Promise<string[]> {
      return (await host.rows()).filter((line) => {
        const [table = ""] = line.split(" ", 1);
        const row = JSON.parse(line.slice(table.length)) as Record<string, unknown>;
        if (/(?:events|mail_metrics)$/.test(table)) return false;
        return row["workspace_id"] === shop.id || "email_id" in row || /emails$/.test(table);
      });
    }

    test.each(Object.entries(ways))(
      "%s, prepared before and committed after, is refused",
      async (_, send) => {
        before = Promise.withResolvers();
        const waiting = new Promise<void>((resolve) => {
          sends = resolve;
        });
        const sent = send(world, shop.id).map(codeOf);
        await waiting;
        await remove();
        before.resolve();
        expect(new Set(await Promise.all(sent))).toEqual(new Set(["not_found"]));
        expect(await rowsLeft()).toEqual([]);
      },
    );

    test.each(Object.entries(ways))("%s whose transaction is open leaves nothing", async (_, send) => {
      within = Promise.withResolvers();
      const waiting = new Promise<void>((resolve) => {
        sends = resolve;
      });
      const sent = send(world, shop.id).map(codeOf);
      await waiting;
      const begun = new Promise<void>((resolve) => {
        deletes = resolve;
      });
      const removed = remove();
      await Promise.race([begun, removed]);
      within.resolve();
      await removed;
      for (const code of await Promise.all(sent)) expect(["accepted", "not_found"]).toContain(code);
      expect(await rowsLeft()).toEqual([]);
    });

    test("sends without a pause leave nothing", async () => {
      const codes: unknown[] = [];
      let isOver = false;
      const sender = async (): Promise<void> => {
        while (!isOver)
          for (const send of Object.values(ways)) {
            codes.push(...(await Promise.all(send(world, shop.id).map(codeOf))));
            // Refusals need no storage, and would let nothing else run.
            await turn();
          }
      };
      const senders = [sender(), sender(), sender()];
      await expect.poll(() => codes.length).toBeGreaterThan(20);
      await remove();
      isOver = true;
      await Promise.all(senders);
      expect(codes).toContain("accepted");
      for (const code of codes) expect(["accepted", "not_found", "idempotency_key_reused"]).toContain(code);
      expect(await rowsLeft()).toEqual([]);
    });
  });
}

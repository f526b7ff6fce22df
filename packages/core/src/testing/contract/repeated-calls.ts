import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { signatureHeaders } from "../../webhooks/rules/webhook-signature.ts";
import { createWorld, type TestWorkspace, type World } from "../world.ts";

/** The contract that calls which anyone can repeat at will cost no transaction each. */
export function describeRepeatedCalls(open: () => Promise<Storage>): void {
  describe("a thousand equal calls at once", () => {
    let world: World;
    let shop: TestWorkspace;
    let transactions = 0;
    beforeEach(async () => {
      const storage = await open();
      const transaction: Storage["transaction"] = (work, holder) => {
        transactions += 1;
        return storage.transaction(work, holder);
      };
      world = await createWorld({ ...storage, transaction });
      shop = await world.addWorkspace();
    });
    afterEach(() => world.close());

    const verbs = () => world.posthorn.workspace(shop.id);
    async function sent(): Promise<{ id: string; link: string }> {
      const mail = { subject: "News", text: "x", to: ["ada@example.com"], unsubscribe: { list: "news" } };
      const { id } = await verbs().emails.send(mail);
      await world.posthorn.drain();
      const [message] = world.mailer.inbox.all();
      const field = message?.headers.find(({ name }) => name === "List-Unsubscribe")?.value ?? "";
      return { id, link: /\/u\/([^>]+)>/.exec(field)?.[1] ?? "" };
    }
    const eventsOf = async (type: string) =>
      (await world.storage.events.list({ type, workspaceId: shop.id }, { offset: 0, limit: 10 })).total;
    /** Calls a thousand times at once. Returns what was answered, without repetitions, and how many transactions it took. */
    async function thousand(call: () => Promise<unknown>): Promise<[unknown[], number]> {
      transactions = 0;
      const answers = await Promise.all(Array.from({ length: 1_000 }, call));
      const texts = new Set(answers.map((answer) => JSON.stringify(answer)));
      return [[...texts].map((text) => JSON.parse(text)), transactions];
    }

    test("clicks on one unsubscribe link are one transaction, and none once the recipient is unsubscribed", async () => {
      const { link } = await sent();
      const click = () => world.posthorn.unsubscriptions.create({ token: link });
      const unsubscribed = [
        { list: "news", email: "ada@example.com", isSubscribed: false, canUndo: true },
      ] as const;
      expect(await thousand(click)).toEqual([unsubscribed, 1]);
      expect(await thousand(click)).toEqual([unsubscribed, 0]);
      expect([await eventsOf("email.unsubscribed"), await eventsOf("suppression.created")]).toEqual([1, 1]);
      const undo = () => world.posthorn.unsubscriptions.undo({ token: link });
      const [[undone], count] = await thousand(undo);
      expect([undone, count]).toEqual([
        { list: "news", email: "ada@example.com", isSubscribed: true, canUndo: false },
        1,
      ]);
      expect((await thousand(undo))[1]).toBe(0);
      expect(await eventsOf("suppression.deleted")).toBe(1);
      expect(await thousand(click)).toEqual([unsubscribed, 1]);
    });

    test("a suppression that ends is replaced by a click on the link", async () => {
      const { link } = await sent();
      const expiresAt = new Date(world.clock.now() + 60_000).toISOString();
      await verbs().suppressions.create({ email: "ada@example.com", scope: "news", expiresAt });
      await world.posthorn.unsubscriptions.create({ token: link });
      expect(await verbs().suppressions.get({ email: "ada@example.com", scope: "news" })).toMatchObject({
        origin: "unsubscribe",
        expiresAt: undefined,
      });
    });

    test("one relay's report is one transaction, and none once it is stored", async () => {
      const { id } = await sent();
      const { url, secret } = await verbs().inboundEndpoints.create({ provider: "generic" });
      const body = JSON.stringify({
        events: [{ kind: "complaint", recipient: "ada@example.com", email_id: id }],
      });
      const timestamp = world.clock.now();
      const headers = signatureHeaders({ secrets: [secret ?? ""], id: "1", timestamp, body });
      const token = url.slice(url.lastIndexOf("/") + 1);
      const report = (over: object = {}) =>
        world.posthorn.inbound.receive({ provider: "generic", token, headers, body, ...over });
      expect(await thousand(report)).toEqual([[{ matched: 1 }], 1]);
      expect(await thousand(report)).toEqual([[{ matched: 1 }], 0]);
      expect(await eventsOf("email.complained")).toBe(1);
      // What was stored answers nobody who can't sign.
      await expect(report({ headers: {} })).rejects.toMatchObject({ code: "unauthenticated" });
    });

    test("one returned message is one transaction, and none once it is stored", async () => {
      const { id } = await sent();
      const message = [
        "Content-Type: multipart/report; report-type=feedback-report; boundary=b",
        "",
        "--b",
        "Content-Type: message/feedback-report",
        "",
        "Feedback-Type: abuse",
        "Original-Rcpt-To: ada@example.com",
        "",
        "--b",
        "Content-Type: text/rfc822-headers",
        "",
        `Message-ID: <${id}@posthorn.example>`,
        "",
        "--b--",
      ].join("\r\n");
      const [[stored], count] = await thousand(() => verbs().inbound.feed({ message }));
      expect([stored, count]).toEqual([expect.objectContaining({ matched: true, emailId: id }), 1]);
      expect(await thousand(() => verbs().inbound.feed({ message }))).toEqual([[stored], 0]);
      expect(await eventsOf("email.complained")).toBe(1);
    });
  });
}

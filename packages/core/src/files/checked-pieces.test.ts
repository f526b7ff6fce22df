import { expect, test } from "vitest";
import { openWorldForEach, workspace as shop, world } from "../../test/world-for-each.ts";
import type { FileView } from "../mail/emails/get-email-attachment.ts";

openWorldForEach();

type As = typeof shop.asOwner;

const exports = {
  "the suppressions": (as: As) => world.posthorn.suppressions.export({ format: "ndjson" }, as),
  "a recipient": (as: As) => world.posthorn.recipients.export({ email: "u1@example.com" }, as),
} satisfies Record<string, (as: As) => Promise<FileView>>;

test.each(Object.entries(exports))(
  "an export of %s breaks off once its reader is no member any more, or their login has ended",
  async (_, open) => {
    const { posthorn, storage } = world;
    const admin = await shop.addMember("admin");
    const content = Array.from({ length: 1_001 }, (_, index) => `u${index}@example.com\n`).join("");
    await posthorn.suppressions.import({ content: Buffer.from(content) }, shop.asOwner);
    const { userId } = admin;
    const ends: [(sessionId: string) => unknown, string][] = [
      [(sessionId) => storage.sessions.revoke(userId, sessionId, 1), "unauthenticated"],
      [() => world.clock.advance(1_000), "unauthenticated"],
      [() => posthorn.members.remove({ memberId: userId }, shop.asOwner), "not_a_member"],
    ];
    for (const [at, [end, code]] of ends.entries()) {
      const sessionId = `01a1fce3-5f3f-742a-9b7d-72ed4ffb21c${at}`;
      const expiresAt = world.clock.now() + 1_000;
      const session = { id: sessionId, userId, userAgent: "", ipAddress: "", createdAt: 0, expiresAt };
      await storage.sessions.insert(session);
      const as = { ...admin, sessionId };
      const pieces = (await open(shop.as(as))).content[Symbol.asyncIterator]();
      expect((await pieces.next()).done).toBe(false);
      await end(sessionId);
      const rest = async () => {
        while ((await pieces.next()).done !== true);
      };
      await expect(rest()).rejects.toMatchObject({ code });
    }
  },
);

test("a dry run of an import answers nobody who lost their role while the file came", async () => {
  const { suppressions, members } = world.posthorn;
  const editor = await shop.addMember("editor");
  async function* file() {
    yield Buffer.from("email\nada@example.com\n");
    await members.remove({ memberId: editor.userId }, shop.asOwner);
    yield Buffer.from("bob@example.com\n");
  }
  const trying = suppressions.import({ content: file(), dryRun: true }, shop.as(editor));
  await expect(trying).rejects.toMatchObject({ code: "not_a_member" });
});

import { generateSync } from "otplib";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SealedColumn, type Storage, sealedColumns } from "../../ports/storage.ts";
import { createSecretBox } from "../../rules/secret-box.ts";
import { createWorld, type World } from "../world.ts";

const secretKey = "the key of this database, 4711 and 0815";

const newKey = `${secretKey}, replaced`;

/** A storage that fails, as if the process were killed, once it is to replace texts of the column. */
const failingAt = (storage: Storage, column: SealedColumn): Storage => ({
  ...storage,
  operations: {
    ...storage.operations,
    async replaceSealed(of, texts) {
      if (of === column) throw new Error("killed");
      await storage.operations.replaceSealed(of, texts);
    },
  },
});

/** Lets a world seal one text of each column, and two of the signing keys, e-mails and webhooks. */
async function sealOneEach({ posthorn, clock, addWorkspace, addUser }: World): Promise<void> {
  const { id: workspaceId, owner, asOwner } = await addWorkspace();
  const webhook = { url: "https://hooks.example.com/", events: ["email.sent" as const] };
  await posthorn.webhooks.create(webhook, asOwner);
  const { id: webhookId } = await posthorn.webhooks.create(webhook, asOwner);
  await posthorn.webhooks.rotateSecret({ webhookId }, asOwner);
  await posthorn.smtpServers.create({ name: "a", host: "a.example", username: "u", password: "p" }, asOwner);
  await posthorn.inboundEndpoints.create({ provider: "generic" }, asOwner);
  await posthorn.domains.create({ name: "a.example" }, asOwner);
  const { secret } = await posthorn.twoFactor.setup({}, { as: owner });
  const code = generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) });
  await posthorn.twoFactor.verify({ code }, { as: owner });
  await posthorn.twoFactor.setup({}, { as: await addUser() });
  const mail = { subject: "Hi", text: "Hi", from: "a@shop.example", to: ["ada@example.com"] };
  await posthorn.emails.send({ ...mail, sensitive: true }, { workspaceId });
  await posthorn.accounts.forgotPassword({ email: owner.email });
  // It answers before it has queued its mail.
  await posthorn.stop();
}

/** The contract of what another secret key sealed. */
export function describeSealedSecrets(open: () => Promise<Storage>): void {
  describe("secrets that another key sealed", () => {
    test("are listed by what they belong to, up to a number of each kind", async () => {
      const { posthorn, storage, clock, addWorkspace, close } = await createWorld(await open(), {
        secretKey,
      });
      onTestFinished(close);
      const { id: workspaceId, owner, asOwner } = await addWorkspace();
      const url = "https://hooks.example.com/";
      const webhook = await posthorn.webhooks.create({ url, events: ["email.sent"] }, asOwner);
      await posthorn.webhooks.rotateSecret({ webhookId: webhook.id }, asOwner);
      const [server] = await Promise.all([
        posthorn.smtpServers.create({ name: "a", host: "a.example", username: "u", password: "p" }, asOwner),
        posthorn.smtpServers.create({ name: "b", host: "b.example" }, asOwner),
      ]);
      const endpoint = await posthorn.inboundEndpoints.create({ provider: "generic" }, asOwner);
      await posthorn.inboundEndpoints.create({ provider: "ses" }, asOwner);
      const first = await posthorn.domains.create({ name: "a.example" }, asOwner);
      const second = await posthorn.domains.create({ name: "b.example" }, asOwner);
      const { secret } = await posthorn.twoFactor.setup({}, { as: owner });
      const code = generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) });
      await posthorn.twoFactor.verify({ code }, { as: owner });

      const { listSealedOtherwise } = storage.operations;
      expect(await listSealedOtherwise(createSecretBox(secretKey).sealPrefix, 9)).toEqual([]);
      const { sealPrefix } = createSecretBox(`${secretKey}, replaced`);
      const found = [
        { kind: "webhook", id: webhook.id, workspaceId, name: url },
        { kind: "smtp_server", id: server.id, workspaceId, name: "a" },
        { kind: "inbound_endpoint", id: endpoint.id, workspaceId, name: "generic" },
        { kind: "domain", id: first.id, workspaceId, name: "a.example" },
        { kind: "domain", id: second.id, workspaceId, name: "b.example" },
        { kind: "user", id: String(owner.userId), workspaceId: undefined, name: owner.email },
      ];
      expect(await listSealedOtherwise(sealPrefix, 9)).toEqual(found);
      expect(await listSealedOtherwise(sealPrefix, 1)).toEqual(found.filter(({ id }) => id !== second.id));
    });

    test("are sealed anew with the former key, also after an interruption, during which nothing starts", async () => {
      const storage = await open();
      const before = await createWorld(storage, { secretKey });
      onTestFinished(before.close);
      await before.posthorn.migrate();
      await sealOneEach(before);
      const openWith = async (given: Storage, key: string, formerSecretKeys: string[]) => {
        const { posthorn } = await createWorld(given, { secretKey: key, formerSecretKeys });
        onTestFinished(posthorn.close);
        return posthorn;
      };
      const all = {
        webhookSecrets: 3,
        smtpPasswords: 1,
        inboundSecrets: 1,
        dkimKeys: 4,
        twoFactorSecrets: 2,
        emails: 3,
      };
      const none = Object.fromEntries(Object.keys(all).map((kind) => [kind, 0]));
      const unknowing = await openWith(storage, newKey, []);
      expect(await unknowing.replaceSecretKey({ dryRun: true })).toEqual({ resealed: none, unreadable: all });
      await expect(unknowing.replaceSecretKey()).rejects.toMatchObject({ reason: "unreadable_secrets" });
      await expect(unknowing.checkSecretKey()).rejects.toMatchObject({ reason: "other_key" });
      const posthorn = await openWith(storage, newKey, [secretKey]);
      await expect(posthorn.checkSecretKey()).rejects.toMatchObject({ reason: "former_key" });
      expect(await posthorn.replaceSecretKey({ dryRun: true })).toEqual({ resealed: all, unreadable: none });
      const killed = await openWith(failingAt(storage, "domain_keys.private_key"), newKey, [secretKey]);
      await expect(killed.replaceSecretKey()).rejects.toThrow("killed");
      for (const service of [posthorn, await openWith(storage, secretKey, [])])
        await expect(service.migrate()).rejects.toMatchObject({ reason: "interrupted" });

      const rest = { dkimKeys: 4, twoFactorSecrets: 2, emails: 3 };
      expect(await posthorn.replaceSecretKey()).toEqual({
        resealed: { ...none, ...rest },
        unreadable: none,
      });
      const { sealPrefix } = createSecretBox(newKey);
      for (const column of sealedColumns) {
        const texts = await storage.operations.listSealed(column, 0);
        expect(texts.length).toBeGreaterThan(0);
        for (const { sealed } of texts) expect(sealed).toContain(sealPrefix);
        expect(await storage.operations.listSealed(column, texts.at(-1)?.row ?? 0)).toEqual([]);
      }
      const alone = await openWith(storage, newKey, []);
      await alone.migrate();
      expect(await alone.replaceSecretKey()).toEqual({ resealed: none, unreadable: none });
      expect(await alone.drain()).toBeGreaterThan(0);
      await expect((await openWith(storage, secretKey, [])).migrate()).rejects.toThrow("Restore");
    });
  });
}

import { generateSync } from "otplib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { createSecretBox } from "../../rules/secret-box.ts";
import { createWorld } from "../world.ts";

const secretKey = "the key of this database, 4711 and 0815";

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
  });
}

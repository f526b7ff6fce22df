import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../test/start-server.ts";
import { createDirectClient } from "./direct-client.ts";

test("a direct client refuses an unknown option of a call, and sends once under a key", async () => {
  const { world, close } = await startServer();
  onTestFinished(close);
  const { id: workspaceId } = await world.addWorkspace();
  const { request } = createDirectClient(world.posthorn, { operator: "ada", workspaceId });
  const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hi" };
  const send = (options: object) => request("POST /emails/send", mail, options);
  const first = await send({ idempotencyKey: "order 1" });
  expect(await send({ idempotencyKey: "order 1" })).toEqual(first);
  await expect(send({ idempotency_key: "order 2" })).rejects.toThrow(
    new TypeError(
      "there is no option idempotency_key; the options are idempotencyKey, onDeduplicated, onReplayed, signal",
    ),
  );
});

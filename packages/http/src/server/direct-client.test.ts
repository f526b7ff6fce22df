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

test.each([
  [undefined, "createDirectClient takes an object with the options operator, workspaceId, not undefined"],
  [{ workspaceId: 1 }, "createDirectClient needs operator, the name that the event log shows"],
  [{ operator: "" }, "operator must be a name, not an empty text"],
  [{ operator: "ada", workspaceId: "1" }, "workspaceId must be a workspace's number, not such a text"],
  [{ operator: "ada", workspace: 1 }, "there is no option workspace; the options are operator, workspaceId"],
])("a direct client refuses the options %j by name", (options, message) => {
  const posthorn = { execute: () => Promise.reject(new Error("nothing is called")) };
  expect(() => createDirectClient(posthorn, options as never)).toThrow(new TypeError(message));
});

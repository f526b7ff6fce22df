import { expect, test } from "vitest";
import { openWorldForEach, reopenWorld, send, workspace, world } from "../../../../test/world-for-each.ts";

openWorldForEach();

// service.md, Workspace settings
test("the workspace's sender name stands beside the server's address where the workspace has no address", async () => {
  await world.posthorn.settings.update({ defaultSenderName: "Acme" }, workspace.asOwner);
  expect((await send()).from).toBe("Acme <no-reply@posthorn.example>");
  expect((await send({ from: "me@acme.example" })).from).toBe("me@acme.example");
  await world.posthorn.settings.update({ defaultSenderEmail: "team@acme.example" }, workspace.asOwner);
  expect((await send()).from).toBe("Acme <team@acme.example>");
});

test("the server's own sender has its name, unless the workspace has one", async () => {
  await reopenWorld({ defaultSender: "Shop <hello@shop.example>" });
  expect((await send()).from).toBe("Shop <hello@shop.example>");
  await world.posthorn.settings.update({ defaultSenderName: "Acme" }, workspace.asOwner);
  expect((await send()).from).toBe("Acme <hello@shop.example>");
});

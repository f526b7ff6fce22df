import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { limitHandshakes } from "./limit-handshakes.ts";

test("a connection ends with the thirty-third session ticket or handshake", async () => {
  const socket = new PassThrough();
  limitHandshakes(socket as never, () => new Error("too many"));
  for (let round = 0; round < 16; round += 1) socket.emit("session");
  for (let round = 0; round < 16; round += 1) socket.emit("secure");
  expect(socket.destroyed).toBe(false);
  const failed = new Promise((resolve) => socket.once("error", resolve));
  socket.emit("secure");
  expect(await failed).toMatchObject({ message: "too many" });
});

import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { limitTickets } from "./limit-tickets.ts";

test("a connection ends with the thirty-third session ticket", async () => {
  const socket = new PassThrough();
  limitTickets(socket as never, () => new Error("too many"));
  for (let ticket = 0; ticket < 32; ticket += 1) socket.emit("session");
  expect(socket.destroyed).toBe(false);
  const failed = new Promise((resolve) => socket.once("error", resolve));
  socket.emit("session");
  expect(await failed).toMatchObject({ message: "too many" });
});

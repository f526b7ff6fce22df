import { Socket } from "node:net";
import { expect, test } from "vitest";
import { createGuardedAgent, ResponseTooLarge } from "./guarded-agent.ts";

test("an endpoint that sends session tickets without end is disconnected", async () => {
  const socket = new Socket();
  let connect: ((options: object, callback: () => void) => void) | undefined;
  const library = {
    Agent: class {
      constructor(options: { connect: typeof connect }) {
        connect = options.connect;
      }
    },
    buildConnector: () => (_: object, callback: (error: null, socket: Socket) => void) =>
      callback(null, socket),
  };
  createGuardedAgent(library as never, true, { resolve: async () => [] }, 1);
  connect?.({ hostname: "hook.example" }, () => {});
  const failed = new Promise((resolve) => socket.once("error", resolve));
  for (let ticket = 0; ticket < 40; ticket += 1) socket.emit("session");
  expect(await failed).toBeInstanceOf(ResponseTooLarge);
});

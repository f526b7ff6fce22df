import { Socket } from "node:net";
import { expect, test } from "vitest";
import { createGuardedAgent, ResponseTooLarge } from "./guarded-agent.ts";
import { faultOf } from "./http-faults.ts";

type Connect = (options: object, callback: (error: Error | null, socket: Socket | null) => void) => void;

/** Makes the agent's `connect` on a library whose connections, which are counted, all lead to the socket. */
function open(socket: Socket, allowPrivate: boolean) {
  const made: { connect?: Connect; connections: number } = { connections: 0 };
  const library = {
    Agent: class {
      constructor(options: { connect: Connect }) {
        made.connect = options.connect;
      }
    },
    buildConnector: () => (_: object, callback: (error: null, socket: Socket) => void) => {
      made.connections += 1;
      callback(null, socket);
    },
  };
  createGuardedAgent(library as never, allowPrivate, { resolve: async () => [] }, 1);
  const connect = (hostname: string) =>
    new Promise<Error | Socket | null>((resolve) =>
      made.connect?.({ hostname }, (error, opened) => resolve(error ?? opened)),
    );
  return { connect, made };
}

const connectedTo = (remoteAddress: string) =>
  Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });

test.each(["10.0.0.1", "127.0.0.1", "::1"])("opens no connection to the address %s", async (address) => {
  const { connect, made } = open(connectedTo(address), false);
  expect(await connect(address)).toMatchObject({ message: expect.stringContaining(address) });
  expect(made.connections).toBe(0);
});

test("ends a connection that leads to a private address, whatever its name resolved to before", async () => {
  const inner = connectedTo("10.0.0.1");
  expect(await open(inner, false).connect("hook.example")).toBeInstanceOf(Error);
  expect(inner.destroyed).toBe(true);
  const outer = connectedTo("8.8.8.8");
  expect(await open(outer, false).connect("hook.example")).toBe(outer);
});

test("an endpoint that closes the connection at once is not taken for one at a private address", async () => {
  const fault = faultOf(await open(new Socket(), false).connect("hook.example"));
  expect(fault).toEqual({ fault: "reset" });
});

test("an endpoint that sends session tickets without end is disconnected", async () => {
  const socket = new Socket();
  await open(socket, true).connect("hook.example");
  const failed = new Promise((resolve) => socket.once("error", resolve));
  for (let ticket = 0; ticket < 40; ticket += 1) socket.emit("session");
  expect(await failed).toBeInstanceOf(ResponseTooLarge);
});

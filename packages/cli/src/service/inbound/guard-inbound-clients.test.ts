import { expect, onTestFinished, test, vi } from "vitest";
import { stopTime } from "../../../../mailer-smtp/test/pass-time.ts";
import { guardInboundClients } from "./guard-inbound-clients.ts";

test("a client that names known addresses without end has five minutes from the first, as for a message", () => {
  onTestFinished(stopTime());
  const ended: string[] = [];
  const clients = guardInboundClients((id) => ended.push(id));
  const client = { id: "a", remoteAddress: "192.0.2.1" };
  clients.admit(client);
  vi.advanceTimersByTime(59_000);
  for (let minute = 0; minute < 5; minute += 1) {
    expect(ended).toEqual([]);
    clients.expectMessage(client);
    vi.advanceTimersByTime(60_000);
  }
  expect(ended).toEqual(["a"]);
});

test("after a message a client has a minute again, and then five", () => {
  onTestFinished(stopTime());
  const ended: string[] = [];
  const clients = guardInboundClients((id) => ended.push(id));
  const client = { id: "a", remoteAddress: "192.0.2.1" };
  clients.admit(client);
  for (let message = 0; message < 3; message += 1) {
    vi.advanceTimersByTime(59_000);
    clients.expectMessage(client);
    vi.advanceTimersByTime(299_000);
    clients.expectEnvelope(client);
  }
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(ended).toEqual(["a"]);
});

test("a network's place is free once its client has left, and not when a refused one has", () => {
  onTestFinished(stopTime());
  const ended: string[] = [];
  const clients = guardInboundClients((id) => ended.push(id));
  const client = (number: number) => ({ id: String(number), remoteAddress: "192.0.2.1" });
  const admitted = Array.from({ length: 26 }, (_, number) => clients.admit(client(number)));
  expect(admitted).toEqual([...Array(25).fill(true), false]);
  clients.leave(client(25));
  expect(clients.admit(client(26))).toBe(false);
  clients.leave(client(0));
  clients.leave(client(0));
  expect([clients.admit(client(27)), clients.admit(client(28))]).toEqual([true, false]);
  vi.advanceTimersByTime(60_000);
  expect(ended).toHaveLength(25);
  expect(ended).not.toContain("0");
});

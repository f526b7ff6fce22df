import { beforeEach, expect, test } from "vitest";
import { type ByteRoom, createByteRoom } from "./byte-room.ts";

const capacity = 32_768;
/** The largest that one tenant may use with more than one e-mail. */
const share = capacity / 8;
let room: ByteRoom;
let entered: string[];
beforeEach(() => {
  room = createByteRoom(capacity);
  entered = [];
});

/** Enters, and notes the name once inside. */
function enter(name: string, bytes: number, tenant?: number): void {
  const wait = room.enter(bytes, tenant);
  if (wait === undefined) entered.push(name);
  else void wait.then(() => entered.push(name));
}

test("those who wait enter in the order of their arrival, and one alone always fits", async () => {
  enter("huge", 2 * capacity);
  enter("first", capacity / 2);
  enter("second", capacity);
  enter("third", 64);
  expect(entered).toEqual(["huge"]);
  room.leave(2 * capacity);
  await Promise.resolve();
  expect(entered).toEqual(["huge", "first"]);
  room.leave(capacity / 2);
  await Promise.resolve();
  expect(entered).toEqual(["huge", "first", "second"]);
});

test("a tenant whose server stalls has an eighth of the room, and delays nobody else", async () => {
  for (let n = 0; n < 3; n += 1) enter(`stalled ${n}`, share / 2, 1);
  expect(entered).toEqual(["stalled 0", "stalled 1"]);
  enter("other tenant", share, 2);
  enter("operator", capacity / 2);
  expect(entered.slice(2)).toEqual(["other tenant", "operator"]);
  room.leave(share / 2, 1);
  await Promise.resolve();
  expect(entered.at(-1)).toBe("stalled 2");
});

test("a tenant may use more than its share for one e-mail, but no second one", () => {
  enter("large", share * 3, 1);
  enter("second", 64, 1);
  expect(entered).toEqual(["large"]);
});

test("tenants together leave room for the operator's server, and small e-mails never wait", async () => {
  for (let tenant = 1; tenant <= 8; tenant += 1) enter(`tenant ${tenant}`, share, tenant);
  enter("operator", capacity / 4);
  enter("small", capacity / 1024, 9);
  enter("small of a stalled tenant", capacity / 1024, 1);
  expect(entered.slice(6)).toEqual(["operator", "small", "small of a stalled tenant"]);
  room.leave(capacity / 1024, 1);
  enter("operator again", capacity);
  expect(entered).toHaveLength(9);
  room.leave(capacity / 4);
  await Promise.resolve();
  // Not more than a single one beside those who may stall.
  expect(entered.at(-1)).toBe("operator again");
  for (let tenant = 1; tenant <= 6; tenant += 1) room.leave(share, tenant);
  room.leave(capacity);
  await Promise.resolve();
  expect(entered.slice(-2)).toEqual(["tenant 7", "tenant 8"]);
});

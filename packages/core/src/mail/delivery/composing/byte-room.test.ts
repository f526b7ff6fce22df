import { beforeEach, expect, test } from "vitest";
import { type ByteRoom, createByteRoom } from "./byte-room.ts";

const capacity = 32_768;
/** The largest that one workspace may use with more than one e-mail on servers of its own. */
const share = capacity / 8;
let room: ByteRoom;
let entered: string[];
beforeEach(() => {
  room = createByteRoom(capacity);
  entered = [];
});

const ownServer = (workspace: number): string => `s:${workspace}:1`;

/** Enters, and notes the name once inside. */
function enter(name: string, bytes: number, route = "service"): void {
  const wait = room.enter(bytes, route);
  if (wait === undefined) entered.push(name);
  else void wait.then(() => entered.push(name));
}

async function leave(bytes: number, route = "service"): Promise<void> {
  room.leave(bytes, route);
  await Promise.resolve();
}

test("those who wait enter in the order of their arrival, and one alone always fits", async () => {
  enter("huge", 2 * capacity);
  enter("first", capacity / 4);
  enter("second", capacity);
  enter("third", 64);
  expect(entered).toEqual(["huge"]);
  await leave(2 * capacity);
  expect(entered).toEqual(["huge", "first"]);
  await leave(capacity / 4);
  expect(entered).toEqual(["huge", "first", "second"]);
});

test("on the operator's server a workspace leaves an eighth of the room, and its e-mails that wait delay nobody", async () => {
  for (let n = 0; n < 9; n += 1) enter(`busy ${n}`, capacity / 8, "w:1");
  expect(entered).toHaveLength(7);
  enter("other", capacity / 16, "w:2");
  enter("service", capacity / 16);
  expect(entered.slice(7)).toEqual(["other", "service"]);
  await leave(capacity / 8, "w:1");
  expect(entered.at(-1)).toBe("busy 7");
});

test("it is the turn of the workspace that uses least, and a large e-mail is not overtaken for ever", async () => {
  for (const workspace of [1, 2]) {
    for (let n = 0; n < 2; n += 1) enter(`busy ${workspace}.${n}`, capacity / 4, `w:${workspace}`);
  }
  for (const workspace of [1, 2]) enter(`waiting ${workspace}`, capacity / 4, `w:${workspace}`);
  enter("large", capacity / 2, "w:3");
  enter("after", capacity / 8, "w:4");
  expect(entered).toEqual(["busy 1.0", "busy 1.1", "busy 2.0", "busy 2.1"]);
  await leave(capacity / 4, "w:1");
  expect(entered).toHaveLength(4);
  await leave(capacity / 4, "w:2");
  expect(entered.slice(4)).toEqual(["large"]);
  await leave(capacity / 2, "w:3");
  expect(entered[5]).toBe("after");
});

test("a tenant whose server stalls has an eighth of the room, and delays nobody else", async () => {
  for (let n = 0; n < 3; n += 1) enter(`stalled ${n}`, share / 2, ownServer(1));
  expect(entered).toEqual(["stalled 0", "stalled 1"]);
  enter("other tenant", share, ownServer(2));
  enter("operator", capacity / 2);
  expect(entered.slice(2)).toEqual(["other tenant", "operator"]);
  await leave(share / 2, ownServer(1));
  expect(entered.at(-1)).toBe("stalled 2");
});

test("a tenant may use more than its share for one e-mail, but no second one", () => {
  enter("large", share * 3, ownServer(1));
  enter("second", 64, ownServer(1));
  expect(entered).toEqual(["large"]);
});

test("tenants together leave room for the operator's server, and small e-mails never wait", async () => {
  for (let tenant = 1; tenant <= 8; tenant += 1) enter(`tenant ${tenant}`, share, ownServer(tenant));
  enter("operator", capacity / 4);
  enter("small", capacity / 1024, ownServer(9));
  enter("small of a stalled tenant", capacity / 1024, ownServer(1));
  expect(entered.slice(6)).toEqual(["operator", "small", "small of a stalled tenant"]);
  room.leave(capacity / 1024, ownServer(1));
  enter("operator again", capacity);
  expect(entered).toHaveLength(9);
  await leave(capacity / 4);
  // Not more than a single one beside those who may stall.
  expect(entered.at(-1)).toBe("operator again");
  for (let tenant = 1; tenant <= 6; tenant += 1) room.leave(share, ownServer(tenant));
  await leave(capacity);
  expect(entered.slice(-2)).toEqual(["tenant 7", "tenant 8"]);
});

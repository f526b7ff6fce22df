import { expect, test } from "vitest";
import { createEvidence, type Evidence } from "./create-evidence.ts";

const acceptSome = ({ accepted }: Evidence, count: number) => {
  for (let n = 0; n < count; n += 1) accepted(`good${n}`);
};
const refuse = ({ refused }: Evidence, message: string, now = 0) => refused(message, now, true);
/** Finds messages to blame, each refused three times while others get through. */
const findBlamed = (evidence: Evidence, count: number) => {
  for (let n = 0; n < count; n += 1)
    for (let turn = 0; turn < 3; turn += 1) {
      refuse(evidence, `own${n}`);
      acceptSome(evidence, 3);
    }
};

test("a message that is refused again and again while others get through is to blame, and later at once", () => {
  const evidence = createEvidence();
  const found = Array.from({ length: 4 }, () => {
    const blame = refuse(evidence, "bad");
    acceptSome(evidence, 2);
    return blame;
  });
  expect(found).toEqual(["open", "open", "message", "message"]);
  expect([evidence.isBlamed("bad"), evidence.isBlamed("good0")]).toEqual([true, false]);
});

test("the server is at fault if it refuses eight messages in a row, but not if most get through", () => {
  const evidence = createEvidence();
  acceptSome(evidence, 100);
  const found = Array.from({ length: 8 }, (_, n) => refuse(evidence, `m${n}`));
  expect(found).toEqual([...Array(7).fill("open"), "server"]);
  const other = createEvidence();
  for (let n = 0; n < 100; n += 1) {
    expect(refuse(other, `m${n}`)).toBe("open");
    acceptSome(other, 2);
  }
});

test("what is refused at the end of each minute, before the server refuses all, is not to blame", () => {
  const refuseEachMinute = (isAll: boolean) => {
    const evidence = createEvidence();
    return Array.from({ length: 4 }, (_, minute) => {
      const now = minute * 60_000;
      acceptSome(evidence, 60);
      const blame = refuse(evidence, "late", now);
      for (let n = 0; isAll && n < 8; n += 1) refuse(evidence, `other${minute}-${n}`, now);
      return blame;
    });
  };
  expect(refuseEachMinute(true)).toEqual(Array(4).fill("open"));
  expect(refuseEachMinute(false)).toEqual(["open", "open", "message", "message"]);
});

test("the server is at fault if it refuses a message again and there is no other", () => {
  const evidence = createEvidence();
  expect([refuse(evidence, "m"), refuse(evidence, "m"), refuse(evidence, "m")]).toEqual([
    "open",
    "server",
    "server",
  ]);
  // Others got through since, and then there were none: nothing speaks against the server.
  acceptSome(evidence, 1);
  expect([refuse(evidence, "m"), refuse(evidence, "m")]).toEqual(["open", "message"]);
});

test("the fewer others get through, the more refusals it takes until a message is to blame", () => {
  const turnsUntilBlamed = (accepted: number, refused: number): number => {
    const evidence = createEvidence();
    for (let turn = 1; turn < 100; turn += 1) {
      if (refuse(evidence, "own") === "message") return turn;
      for (let n = 0; n < refused; n += 1) refuse(evidence, `other${turn}-${n}`);
      acceptSome(evidence, accepted);
    }
    return Number.POSITIVE_INFINITY;
  };
  expect([turnsUntilBlamed(9, 1), turnsUntilBlamed(2, 4), turnsUntilBlamed(1, 5)]).toEqual([3, 5, 9]);
});

test("a message accepted after it was refused for a limit shows the server's, once", () => {
  const evidence = createEvidence();
  refuse(evidence, "early", 5);
  expect([evidence.accepted("early"), evidence.accepted("early")]).toEqual([5, undefined]);
  evidence.refused("other", 6, false);
  expect(evidence.accepted("other")).toBeUndefined();
});

test("a message accepted after it was refused shows no limit of the server's if nearly all others got through", () => {
  const evidence = createEvidence();
  refuse(evidence, "early", 5);
  acceptSome(evidence, 10);
  refuse(evidence, "other");
  expect(evidence.accepted("early")).toBeUndefined();
  for (const name of ["early", "first", "second"]) refuse(evidence, name, 6);
  acceptSome(evidence, 10);
  expect(evidence.accepted("early")).toBe(6);
});

test("a refusal that names no limit shows one if a third of the others were refused as well", () => {
  const evidence = createEvidence();
  const refuseSo = (name: string) => evidence.refused(name, 5, false);
  for (const name of ["m", "n", "first"]) refuseSo(name);
  acceptSome(evidence, 2);
  expect(evidence.accepted("n")).toBeUndefined();
  refuseSo("second");
  expect(evidence.accepted("m")).toBe(5);
});

test("others that are suspect as well say nothing against the server, however often they are refused", () => {
  const evidence = createEvidence();
  const found: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 6; n += 1) found.push(refuse(evidence, `own${n}`));
    acceptSome(evidence, round === 0 ? 5 : 2);
  }
  expect(found.slice(12)).toEqual(Array(6).fill("message"));
});

test("once refused messages were to blame, each second one is at its first refusal, until one only came too early", () => {
  const evidence = createEvidence();
  findBlamed(evidence, 5);
  const refuseSome = (name: string) =>
    Array.from({ length: 8 }, (_, n) => {
      const blame = refuse(evidence, `${name}${n}`);
      acceptSome(evidence, 3);
      return blame;
    });
  const found = refuseSome("m");
  expect(found.filter((blame) => blame === "open")).toHaveLength(4);
  expect(found.filter((blame) => blame === "message")).toHaveLength(4);
  // The second refusal is enough.
  expect(refuse(evidence, `m${found.indexOf("open")}`)).toBe("message");
  evidence.accepted(`m${found.lastIndexOf("open")}`);
  expect(refuseSome("n")).toEqual(Array(8).fill("open"));
});

test("the more messages were to blame, the more are refused in a row until the server is at fault", () => {
  const evidence = createEvidence();
  findBlamed(evidence, 4);
  const found = Array.from({ length: 12 }, (_, n) => refuse(evidence, `m${n}`));
  expect(found).toEqual([...Array(11).fill("open"), "server"]);
});

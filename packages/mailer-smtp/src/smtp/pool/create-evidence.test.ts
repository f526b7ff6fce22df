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

test("few accepted beside many refused leave the others undecided", () => {
  const evidence = createEvidence();
  for (let round = 0; round < 5; round += 1) {
    for (let n = 0; n < 6; n += 1) expect(refuse(evidence, `m${n}`)).not.toBe("message");
    acceptSome(evidence, 1);
  }
});

test("a message accepted after it was refused for a limit shows the server's, unless most limits are of messages", () => {
  const evidence = createEvidence();
  refuse(evidence, "early", 5);
  expect([evidence.accepted("early"), evidence.accepted("early")]).toEqual([5, undefined]);
  evidence.refused("other", 6, false);
  expect(evidence.accepted("other")).toBeUndefined();
  findBlamed(evidence, 2);
  refuse(evidence, "early", 7);
  expect(evidence.accepted("early")).toBeUndefined();
  refuse(evidence, "early", 8);
  expect(evidence.accepted("early")).toBe(8);
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

test("others that were overtaken as well say nothing against the server, however often they are refused", () => {
  const evidence = createEvidence();
  const found: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 6; n += 1) found.push(refuse(evidence, `own${n}`));
    acceptSome(evidence, round === 0 ? 5 : 2);
  }
  expect(found.slice(12)).toEqual(Array(6).fill("message"));
});

test("once most refused messages were to blame, one is at its first refusal, but each fourth is tested", () => {
  const evidence = createEvidence();
  findBlamed(evidence, 5);
  const found = Array.from({ length: 8 }, (_, n) => {
    const blame = refuse(evidence, `m${n}`);
    acceptSome(evidence, 3);
    return blame;
  });
  expect(found.filter((blame) => blame === "open")).toHaveLength(2);
  expect(found.filter((blame) => blame === "message")).toHaveLength(6);
  // Those that are tested and get through end that.
  for (let n = 0; n < 8; n += 1) evidence.accepted(`m${n}`);
  expect(Array.from({ length: 4 }, (_, n) => refuse(evidence, `n${n}`))).toEqual(Array(4).fill("open"));
});

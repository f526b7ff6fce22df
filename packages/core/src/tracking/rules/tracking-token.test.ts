import { describe, expect, test } from "vitest";
import {
  createTrackingTokens,
  maxTrackedUrlBytes,
  type TrackingSubject,
  tokenLengths,
} from "./tracking-token.ts";

const key = Buffer.alloc(64, 7);
const tokens = createTrackingTokens(key);
const click: TrackingSubject = {
  row: 2 ** 40 + 5,
  position: 3,
  kind: "click",
  link: 12,
  url: "https://example.com/a?b=$&c=ä",
};

describe("tokens in tracked links and images", () => {
  test("bring back what they were made of", () => {
    const several: TrackingSubject = { row: 1, position: undefined, kind: "open" };
    const long: TrackingSubject = {
      ...click,
      url: `https://example.com/${"x".repeat(maxTrackedUrlBytes - 20)}`,
    };
    for (const subject of [click, several, long]) {
      const token = tokens.make(subject);
      expect(token).toMatch(/^[\w-]+$/);
      expect(tokens.read(token)).toEqual(subject);
    }
  });

  test("have a length that is known without making them", () => {
    const open: TrackingSubject = { row: 1, position: 0, kind: "open" };
    const clicks = ["", "a", "aä", "aää"].map((end) => ({ ...click, url: click.url + end }));
    for (const subject of [open, ...clicks])
      expect(tokenLengths.make(subject)).toHaveLength(tokens.make(subject).length);
  });

  test("are equal for the same message, and show neither address nor destination", () => {
    expect(tokens.make(click)).toBe(tokens.make({ ...click }));
    expect(tokens.make({ ...click, position: 4 }).slice(0, 16)).not.toBe(tokens.make(click).slice(0, 16));
    expect(Buffer.from(tokens.make(click), "base64url").includes("example.com")).toBe(false);
  });

  test("are refused if a single bit differs, if cut, and if made under another key", () => {
    const bytes = Buffer.from(tokens.make(click), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(tokens.read(forged.toString("base64url"))).toBeUndefined();
    }
    const odd = [
      "",
      "a",
      "a b",
      `${bytes.toString("base64url")}=`,
      bytes.subarray(0, -1).toString("base64url"),
    ];
    for (let length = 20; length < 24; length += 1) {
      const token = tokens.make({ ...click, url: "x".repeat(length) });
      for (const end of ["x", "A", "=", ".", "%20"]) expect(tokens.read(token + end)).toBeUndefined();
    }
    for (const token of [...odd, "x".repeat(20_000)]) expect(tokens.read(token)).toBeUndefined();
    expect(createTrackingTokens(Buffer.alloc(64, 8)).read(tokens.make(click))).toBeUndefined();
  });

  test("made under a former key are read", () => {
    expect(createTrackingTokens(Buffer.alloc(64, 8), [key]).read(tokens.make(click))).toEqual(click);
  });
});

import { expect, test } from "vitest";
import {
  checkOptions,
  clockCheck,
  flagCheck,
  isText,
  type OptionChecks,
  textCheck,
} from "./check-options.ts";

interface Options {
  filename?: string;
  clock?: { now(): number };
  isLoud?: boolean;
  inner?: object;
  prefix?: string;
}

const checks: OptionChecks<Options> = {
  filename: ["a path", isText],
  clock: clockCheck,
  isLoud: flagCheck,
  inner: true,
  prefix: textCheck,
};

test.each([
  [undefined, "open takes an object with the options filename, clock, isLoud, inner, prefix, not undefined"],
  [null, "open takes an object with the options filename, clock, isLoud, inner, prefix, not null"],
  ["a.db", "open takes an object with the options filename, clock, isLoud, inner, prefix, not such a text"],
  [[], "open takes an object with the options filename, clock, isLoud, inner, prefix, not an array"],
  [
    { file: "a.db" },
    "there is no option at.file; the options are at.filename, at.clock, at.isLoud, at.inner, at.prefix",
  ],
  [{ filename: 5 }, "at.filename must be a path, not 5"],
  [{ filename: "" }, "at.filename must be a path, not an empty text"],
  [{ filename: null }, "at.filename must be a path, not null"],
  [{ filename: ["a"] }, "at.filename must be a path, not an array"],
  [{ filename: Promise.resolve("a") }, "at.filename must be a path, not a promise: await it first"],
  [{ clock: {} }, "at.clock must be an object with the method now, not such an object"],
  [{ clock: () => 0 }, "at.clock must be an object with the method now, not a function"],
  [{ isLoud: "secret" }, "at.isLoud must be true or false, not such a text"],
  [{ prefix: 5n }, "at.prefix must be a text, not a bigint"],
  [{ prefix: Symbol("a") }, "at.prefix must be a text, not a symbol"],
  [{ prefix: { toString: () => "a_" } }, "at.prefix must be a text, not such an object"],
])("refuses %o: %s", (given, message) => {
  expect(() => checkOptions("open", given as Options, checks, "at.")).toThrow(new TypeError(message));
});

test.each<Options>([
  { filename: "a.db", clock: { now: () => 0 }, isLoud: false, inner: {}, prefix: "" },
  { filename: undefined } as object,
])("accepts %j", (options) => {
  expect(() => checkOptions("open", options, checks)).not.toThrow();
});

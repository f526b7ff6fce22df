import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonError, parseJson } from "./json.ts";

const bytes = (text: string) => Buffer.from(text, "utf8");
const nested = (depth: number) => bytes("[".repeat(depth) + "]".repeat(depth));

describe("parseJson", () => {
  test("reads what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u(?:0000|d[89a-f])|"__proto__":/i.test(text));
        expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("accepts 32 levels and no more, and a million without overflow", () => {
    expect(parseJson(nested(32))).toBeDefined();
    expect(() => parseJson(nested(33))).toThrow("32 levels");
    expect(() => parseJson(nested(1_000_000))).toThrow(JsonError);
    expect(() => parseJson(nested(3), { maxDepth: 2 })).toThrow("2 levels");
  });

  test("accepts an object of 60,000 fields and no more, and longer lists", () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `"${index}":[1]`).join();
    const limits = { maxValues: 200_000 };
    expect(Object.keys(parseJson(bytes(`{${fields(60_000)}}`), limits) as object)).toHaveLength(60_000);
    expect(parseJson(bytes(`[${"1,".repeat(90_000)}1]`))).toHaveLength(90_001);
    const parse = () => parseJson(bytes(`{"b":[{}],"a":{${fields(60_001)}}}`), limits);
    expect(parse).toThrow(expect.objectContaining({ path: "a", message: "has too many fields" }));
  });

  test("brackets inside strings don't count, whatever is escaped before the quote", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("\\", '"', "[", "{", "a"), { maxLength: 40, size: "max" }),
        (parts) => {
          const value = [parts.join(""), "[[[["];
          expect(parseJson(bytes(JSON.stringify(value)), { maxDepth: 1 })).toEqual(value);
        },
      ),
    );
  });

  test.each([
    "9007199254740992",
    "-9007199254740993",
    "1e16",
    "1E+400",
    "123456789012345678.5",
    "[1, 1.5e300]",
  ])("refuses %s, which would be parsed as another number, if that is not allowed", (number) => {
    expect(parseJson(bytes(`{"a":${number}}`))).toEqual(JSON.parse(`{"a":${number}}`));
    expect(() => parseJson(bytes(`{"a":${number}}`), { allowInexact: false })).toThrow(/^is beyond/);
  });

  test.each<[string, string, string]>([
    ['{"a\\"":[1,":12345678901234567",12345678901234567]}', 'a".2', "is beyond"],
    [" 12345678901234567", "", "The body is beyond"],
    ['{"a":{"x":1},"b":{"c, é\\u00e9":[{},[0,"\\u0000"]]}}', "b.c, éé.1.1", "contains a NUL character"],
    ['["ok",{"a":"\\ud800"}]', "1.a", "contains half of a surrogate pair"],
    ['{"a":[{"\\ud800":1}]}', "a.0", "has a key that contains half of a surrogate pair"],
    ['{"a":[{"b":{"__proto__":1}}]}', "a.0.b", "has the key __proto__"],
    ['{"x":"\\\\","a":[{"b":{"c":1,"\\u005f_proto__" :1}}]}', "a.0.b", "has the key __proto__"],
    ['{"a":[1,{"b":2,"\\u0000":1}]}', "a.1", "has a key that contains a NUL character"],
    [`{"${"k".repeat(1_000)}":"\\u0000"}`, `${"k".repeat(100)}…`, "contains a NUL character"],
    ['{"to":["x"],"data":{"a":"}","b":[1,[[{"c":{}}]]]}}', "data.b.1.0.0.c", "is nested more than 6 levels"],
  ])("says where in %s the fault is", (text, path, words) => {
    let fault: unknown;
    try {
      parseJson(bytes(text), { allowInexact: false, maxDepth: 6 });
    } catch (error) {
      fault = error;
    }
    expect(fault).toMatchObject({ path, message: expect.stringContaining(words) });
  });

  test("millions of escaped quotes cost neither much time nor the stack", () => {
    const text = JSON.stringify('"'.repeat(8_000_000));
    expect(() => parseJson(bytes(`{"a":[${text},[[]]]}`), { maxDepth: 3 })).toThrow("3 levels");
    expect(() => parseJson(bytes(`[${text},1e300]`), { allowInexact: false })).toThrow("is beyond");
  });

  test("blanks between values, however many, change nothing", () => {
    const blanks = " \t\r\n".repeat(2_000_000);
    const text = `{${blanks}"a"${blanks}:${blanks}[1e2,${blanks}-0.5]${blanks}}`;
    expect(parseJson(bytes(text), { allowInexact: false })).toEqual({ a: [100, -0.5] });
    const exact = { allowInexact: false };
    expect(() => parseJson(bytes(`{"a":${blanks}[${blanks}12345678901234567890]}`), exact)).toThrow("beyond");
  });

  test("a number of a million digits is refused without being computed", () =>
    expect(() => parseJson(bytes(`[-${"9".repeat(1_000_000)}]`), { allowInexact: false })).toThrow(
      "is beyond",
    ));

  test.each([
    "9007199254740991",
    "-9007199254740991",
    "1e15",
    "0.12345678901234567",
    "1e-7",
    '"12345678901234567890"',
    '[": 1e400"]',
  ])("accepts %s", (value) => {
    expect(parseJson(bytes(`{"a":${value}}`), { allowInexact: false })).toEqual({ a: JSON.parse(value) });
  });

  test("ignores a byte order mark", () => expect(parseJson(bytes('\ufeff{"a":1}'))).toEqual({ a: 1 }));

  test.each(['{"__proto__":{"admin":true}}', '[{"a":{"\\u005f_proto__":1}}]'])(
    "refuses the key of %s",
    (text) => {
      expect(() => parseJson(bytes(text))).toThrow("__proto__");
      expect(parseJson(bytes('{"a":"__proto__"}'))).toEqual({ a: "__proto__" });
    },
  );

  test.each([
    [5, "[1,2,3,4]"],
    [4, '{"a":1,"b":{"c":"x,y"}}'],
    [5, "[[],[]]"],
  ])("counts values before it parses them: %d in %s", (count, text) => {
    expect(parseJson(bytes(text), { maxValues: count })).toEqual(JSON.parse(text));
    expect(() => parseJson(bytes(text), { maxValues: count - 1 })).toThrow(`more than ${count - 1} values`);
  });

  test.each([
    "",
    " ",
    "{",
    "[1,]",
    "NaN",
    "'a'",
    "{a:1}",
    "1 2",
    '"\n"',
    "[[",
    '"',
    '"\\',
    "]",
    "/**/1",
    "undefined",
    "01",
  ])("refuses %j", (text) => expect(() => parseJson(bytes(text))).toThrow(JsonError));

  test("refuses bad UTF-8, NUL and half surrogates, in keys too", () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow("UTF-8");
    expect(() => parseJson(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toThrow("UTF-8");
    expect(() => parseJson(bytes('{"a":["\\u0000"]}'))).toThrow("NUL");
    expect(() => parseJson(bytes('{"\\ud800":1}'))).toThrow("surrogate");
    expect(parseJson(bytes('"\\ud83d\\ude00"'))).toBe("😀");
    expect(parseJson(bytes('"\\\\u0000"'))).toBe("\\u0000");
  });

  test.each([
    [{ "Gr\\u0": 1 }, '{"Gr\\u00f6\\u00dfe":1}', "Größe"],
    [{ "\\": 1 }, '{"\\"":1}', '"'],
    [{ "a\\n": 1 }, '{"a\\nb":1}', "a\nb"],
  ])("a key with escapes stays what it is beside %j", (other, text, key) => {
    for (const before of [{}, { first: 1 }, { first: [] }]) {
      const lead = JSON.stringify(before).slice(0, -1) + (Object.keys(before).length === 0 ? "" : ",");
      const asOther = lead + JSON.stringify(other).slice(1);
      expect(parseJson(bytes(asOther))).toEqual({ ...before, ...other });
      expect(parseJson(bytes(lead + text.slice(1)))).toEqual({ ...before, [key]: 1 });
    }
  });

  test("of a key that is written in two ways the last value counts, wherever it is", () => {
    const text = '{"b\\u0061":1,"\\u0022":[{"\\n":2}],"ba":3,"\\"":[{"x":4,"\\u000a":5}],"\\u0031":6}';
    expect(parseJson(bytes(`\ufeff${text}`))).toEqual({ ba: 3, '"': [{ x: 4, "\n": 5 }], 1: 6 });
  });

  test("keys that need escapes are refused above 10,000 different ones, however often they stand", () => {
    const listOf = (count: number) =>
      bytes(JSON.stringify(Array.from({ length: 20_002 }, (_, at) => ({ [`"${at % count}`]: 1 }))));
    expect(parseJson(listOf(10_000))).toHaveLength(20_002);
    expect(() => parseJson(listOf(10_001))).toThrow("different keys that need escapes");
  });

  test("names the position, and quotes nothing", () => {
    expect(() => parseJson(bytes('{"password":"hunter2",}'))).toThrow(
      /^The JSON is malformed at character 22\.$/,
    );
  });
});

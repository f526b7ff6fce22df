import { describe, expect, test } from "vitest";
import { suppressionLines } from "../suppressions/import/suppression-lines.ts";
import type { ListFormat } from "./line-form.ts";
import { readLines } from "./read-lines.ts";

async function* inPieces(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function read(text: string | Uint8Array, format: ListFormat = "csv", size?: number) {
  const found = [];
  for await (const one of readLines(inPieces(text, size), format, suppressionLines)) found.push(one);
  return found;
}
const emails = async (text: string | Uint8Array) =>
  (await read(text)).map(({ line, fields }) => [line, fields?.["email"]]);

describe("CSV", () => {
  test("may begin with a byte order mark, have any line breaks, and end without one", async () => {
    const wanted = [
      [2, "a@b.example"],
      [3, "c@d.example"],
    ];
    expect(await emails("\ufeffEmail,reason\r\na@b.example,x\r\nc@d.example,y")).toEqual(wanted);
    expect(await emails("email\na@b.example\nc@d.example\n")).toEqual(wanted);
    expect(await emails(Buffer.from("\ufeffemail\na@b.example\nc@d.example\n", "utf16le"))).toEqual(wanted);
  });

  test("may be separated by semicolons or tabs, and quoted with separators, quotes and line breaks inside", async () => {
    const [first, second] = await read(
      'email;reason\na@b.example;"one; ""two"",\nthree"\n"Ada <c@d.example>";x\n',
    );
    expect(first).toMatchObject({ line: 2, fields: { email: "a@b.example", reason: 'one; "two",\nthree' } });
    expect(second).toMatchObject({ line: 4, fields: { email: "Ada <c@d.example>" } });
    expect((await read("email\treason\na@b.example\tx\n"))[0]?.fields).toEqual({
      email: "a@b.example",
      reason: "x",
    });
  });

  test("lines are numbered as in an editor, with CRLF within quotes and empty lines between", async () => {
    expect(await emails('email,reason\r\na@b.example,"x\r\ny\r\nz"\r\n\r\nc@d.example,\r\n')).toEqual([
      [2, "a@b.example"],
      [6, "c@d.example"],
    ]);
  });

  test("needs no header if it begins with an address", async () => {
    expect(await emails("a@b.example\n@c.example,because\n")).toEqual([
      [1, "a@b.example"],
      [2, "@c.example"],
    ]);
    await expect(read("name,phone\nAda,1\n")).rejects.toThrow(
      /first line has neither a column email nor an address/,
    );
  });

  test("has at most 1,000 cells a line", async () => {
    const line = (cells: number) => `a@b.example${",x".repeat(cells - 1)}\n`;
    expect(await read(`${line(1_000)}${line(1_000)}`, "csv", 5_000)).toHaveLength(2);
    for (const text of [line(1_001), `email\n${line(1_001)}`])
      await expect(read(text, "csv", 5_000)).rejects.toThrow(/line [12] on: it has more than 1000 cells/);
  });

  test.each([",", '"",', " "])(
    "a line of nothing but %j is refused before it fills the memory",
    async (one) => {
      async function* endless(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("email\na@b.example\n");
        for (let chunk = 0; chunk < 20; chunk += 1) yield Buffer.from(one.repeat(20_000));
        throw new Error("it was read to the end");
      }
      const found: unknown[] = [];
      const reading = async () => {
        for await (const line of readLines(endless(), "csv", suppressionLines)) found.push(line);
      };
      await expect(reading()).rejects.toMatchObject({
        code: "validation_failed",
        message: expect.stringContaining("from line 3 on: a quote is never closed, or the line is too long"),
      });
      expect(found).toHaveLength(1);
    },
  );

  test("has the delimiter that a first line sep= names, as spreadsheets write it", async () => {
    for (const [text, line] of [
      ["sep=;\nemail;reason,\na@b.example;x,y\n", 3],
      ['\ufeff"sep=\t"\r\na@b.example\tx,y\r\n', 2],
      ["SEP=|\n\nemail|reason\na@b.example|x,y", 4],
      ["\n \nemail;reason\na@b.example;x,y", 4],
    ] as const)
      expect(await read(text)).toMatchObject([{ line, fields: { email: "a@b.example", reason: "x,y" } }]);
    expect(await read("sep=;\n")).toEqual([]);
    await expect(read("sep=;\nphone;name\n")).rejects.toThrow(/from line 2 on: the first line has neither/);
  });

  test("may have been joined of files with different line breaks", async () => {
    const wanted = [
      [2, "a@b.example"],
      [3, "c@d.example"],
      [4, "e@f.example"],
    ];
    expect(await emails("email,reason\r\na@b.example,x\r\nc@d.example,y\ne@f.example,z\n")).toEqual(wanted);
    expect(await emails("email,reason\na@b.example,x\r\nc@d.example,y\ne@f.example,z")).toEqual(wanted);
    expect(await emails("email,reason\ra@b.example,x\rc@d.example,y\re@f.example,z\r")).toEqual(wanted);
  });

  test("reads an address as mail headers have it, and rejects a line alone if its quotes are not doubled", async () => {
    const text =
      'email,reason\n"Doe, Jane" <a@b.example> ,x\nc@d.example,"not "so, at all""\n"e@f.example" ,"y" \n';
    expect(await read(text)).toEqual([
      { line: 2, fields: { email: '"Doe, Jane" <a@b.example>', reason: "x" }, value: "" },
      {
        line: 3,
        fields: undefined,
        value: 'c@d.example,"not "so, at all""',
        fault: "is not CSV: text follows a closing quote",
      },
      { line: 4, fields: { email: "e@f.example", reason: "y" }, value: "" },
    ]);
    expect(await emails('"Doe, Jane" <a@b.example>\nc@d.example\n')).toEqual([
      [1, '"Doe, Jane" <a@b.example>'],
      [2, "c@d.example"],
    ]);
  });

  test.each([
    ['x@y.example,"" "z', 2],
    ['x@y.example,"a\nb","c"d', 3],
    ['"Doe, Jane" <x@y.example>,"a\r\nb", "c" d,"e', 3],
  ])("rejects the record that ends with such a line alone: %j", async (record, end) => {
    const lines = record.split("\n");
    const found = await read(`email,reason,more\n${record}\nc@d.example,"y\nz"\n`, "csv", 100);
    expect(found).toEqual([
      { line: 2, fields: undefined, value: lines.at(-1), fault: "is not CSV: text follows a closing quote" },
      { line: end + 1, fields: { email: "c@d.example", reason: "y\nz", more: "" }, value: "" },
    ]);
  });

  test("its blanks include those of spreadsheets, and the mark that a joined file begins with", async () => {
    expect(await emails('email\n\u00a0a@b.example\u00a0\n\ufeff"c@d.example" \n')).toEqual([
      [2, "a@b.example"],
      [3, "c@d.example"],
    ]);
  });

  test("a quote that others' lines would be lost in ends the reading", async () => {
    const text = 'email,reason\na@b.example,"x\nc@d.example,y\ne@f.example,"z"\n';
    await expect(read(text)).rejects.toThrow(
      /from line 2 on: a quote is closed on a later line, and text follows it/,
    );
  });

  test("empty lines are no long line, however many there are", async () => {
    expect(await read(`email\n${"\n".repeat(400_000)}a@b.example\n`, "csv", 64 * 1024)).toHaveLength(1);
  });

  test("unescapes addresses that a spreadsheet would take for formulas", async () => {
    expect(await emails("email\n=1+1@b.example\n+ada@b.example\n-x@b.example\n")).toEqual([
      [2, "=1+1@b.example"],
      [3, "+ada@b.example"],
      [4, "-x@b.example"],
    ]);
  });

  test("an unclosed quote takes no more memory than the limit of a line, and is reported with its line", async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('email,reason\na@b.example,x\nc@d.example,"');
      for (let chunk = 0; chunk < 1_000; chunk += 1) yield Buffer.alloc(64 * 1024, "x\n");
      throw new Error("it was read to the end");
    }
    const found: unknown[] = [];
    const reading = async () => {
      for await (const one of readLines(endless(), "csv", suppressionLines)) found.push(one);
    };
    await expect(reading()).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("from line 3 on"),
    });
    expect(found).toHaveLength(1);
  });
});

describe("NDJSON", () => {
  test("is one object a line, and an invalid line is reported and skipped", async () => {
    const text =
      '{"email":"ä@b.example","reason":"x","created_at":1775854985}\n\n{"email":\n[1]\n{"email":"c@d.example"}';
    const found = await read(text, "ndjson", 3);
    expect(found).toEqual([
      { line: 1, fields: { email: "ä@b.example", reason: "x", createdat: "1775854985" }, value: "" },
      { line: 3, fields: undefined, value: '{"email":', fault: "is not a JSON object" },
      { line: 4, fields: undefined, value: "[1]", fault: "is not a JSON object" },
      { line: 5, fields: { email: "c@d.example" }, value: "" },
    ]);
  });

  test.each([
    [`{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, /^a\S* is nested more than 32 levels deep$/],
    ['{"a":{"__proto__":{"b":1}}}', "a has the key __proto__"],
    ['{"a":["\\u0000"]}', "a.0 contains a NUL character"],
    [`{${'"":0,'.repeat(60_001)}"a":1}`, "has too many fields"],
    ['{"a":12345678901234567}', /^a is beyond/],
  ])("a line is held to the bounds of a request: %.30s", async (text, fault) => {
    const form = { ...suppressionLines, maxLineBytes: 512 * 1024 };
    const found = [];
    for await (const one of readLines(inPieces(text, 4_000), "ndjson", form)) found.push(one.fault);
    expect(found).toEqual([typeof fault === "string" ? fault : expect.stringMatching(fault)]);
  });

  test.each([7, 1_000])(
    "a line that is too long is refused, but not many short ones: in pieces of %i",
    async (size) => {
      const form = { ...suppressionLines, maxLineBytes: 100 };
      const short = '{"email":"a@b.example"}\r\n \r\n'.repeat(20);
      const found: number[] = [];
      const reading = async (text: string) => {
        for await (const one of readLines(inPieces(text, size), "ndjson", form)) found.push(one.line);
      };
      await reading(short);
      expect(found).toEqual(Array.from({ length: 20 }, (_, index) => 1 + 2 * index));
      await expect(reading(`${short}{"email":"${"x".repeat(100)}"}`)).rejects.toThrow(
        /from line 41 on: the line is too long/,
      );
    },
  );
});

const word = "x".repeat(300_000);

describe.each<[ListFormat, string, string]>([
  ["csv", "a@b.example,x\n", `email,${word}\na@b.example,x`],
  ["ndjson", '{"email":"a@b.example"}\n', `{"email":"a@b.example","reason":"${word}"}`],
])("%s", (format, line, long) => {
  test("lets other work go on in between, however large its chunks are", async () => {
    let turns = 0;
    let isRead = false;
    const next = () => {
      turns += 1;
      if (!isRead) setImmediate(next);
    };
    setImmediate(next);
    await read(line.repeat(20_000), format, 1_000_000);
    isRead = true;
    expect(turns).toBeGreaterThan(10);
  });

  test("a long line in chunks of one byte is not copied for each of them", async () => {
    const form = { ...suppressionLines, maxLineBytes: 1_000_000 };
    const found = [];
    for await (const one of readLines(inPieces(long, 1), format, form)) found.push(one.fields?.["email"]);
    expect(found).toEqual(["a@b.example"]);
  });
});

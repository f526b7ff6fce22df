import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { type Column, formatFields, formatTable } from "./table.ts";

interface Row {
  name: string;
  count: number;
  address?: string;
}

const columns: Column<Row>[] = [
  { title: "NAME", cell: ({ name }) => name },
  { title: "COUNT", cell: ({ count }) => count, align: "right" },
  { title: "ADDRESS", cell: ({ address }) => address },
];
const plain = (rows: Row[], width?: number): string =>
  stripVTControlCharacters(formatTable(rows, columns, width));

test("wide characters, combining marks and emoji keep the columns aligned", () => {
  expect(
    plain([
      { name: "日本", count: 1, address: "a" },
      { name: "e\u0301a", count: 22, address: "b" },
      { name: "👩‍👩‍👧", count: 3 },
    ]),
  ).toBe(
    ["NAME  COUNT  ADDRESS", "日本      1  a", "e\u0301a       22  b", "👩‍👩‍👧        3  –", ""].join("\n"),
  );
});

test("writes a row that is too wide for the terminal as a block, without breaking an address", () => {
  const rows = [
    { name: "Ada", count: 1, address: "ada.lovelace@example.com" },
    { name: "Bob", count: 2, address: "bob@example.com" },
  ];
  expect(plain(rows, 37).split("\n")).toHaveLength(4);
  expect(plain(rows, 36)).toBe(
    [
      "NAME     Ada",
      "COUNT    1",
      "ADDRESS  ada.lovelace@example.com",
      "",
      "NAME     Bob",
      "COUNT    2",
      "ADDRESS  bob@example.com",
      "",
    ].join("\n"),
  );
});

test("a value can't change the writing direction or move the cursor", () => {
  expect(plain([{ name: "a\u202ecod.exe\u001b[2J\n", count: 1 }])).toContain("a�cod.exe�[2J�");
});

test("on a narrow terminal, a column without any value makes room for the others", () => {
  const rows = [{ name: "A name of some length", count: 7 }];
  expect(plain(rows, 30)).toBe(
    ["NAME                   COUNT", "A name of some length      7", ""].join("\n"),
  );
  expect(plain(rows, 40)).toContain("ADDRESS");
});

test("on a narrow terminal, texts are shortened and optional columns dropped before rows become blocks", () => {
  const narrow: Column<Row>[] = [
    { title: "ADDRESS", cell: ({ address }) => address },
    { title: "NAME", cell: ({ name }) => name, narrow: "cut" },
    { title: "COUNT", cell: ({ count }) => count, narrow: "spare" },
  ];
  const rows = [{ name: "A subject that goes on and on", count: 7, address: "ada@example.com" }];
  const at = (width: number): string => stripVTControlCharacters(formatTable(rows, narrow, width));
  expect(at(53)).toContain("A subject that goes on and on  7");
  expect(at(40)).toBe("ADDRESS          NAME              COUNT\nada@example.com  A subject that…   7\n");
  expect(at(30)).toBe("ADDRESS          NAME\nada@example.com  A subject th…\n");
  expect(at(20)).toContain("COUNT    7");
});

test("on a narrow terminal, a column that repeats another is dropped before any text is shortened", () => {
  const log: Column<Row>[] = [
    { title: "TYPE", cell: () => "template_version.created", narrow: "repeated" },
    { title: "MESSAGE", cell: ({ name }) => name, narrow: "cut" },
  ];
  const rows = [{ name: "Ada created a version: welcome", count: 1, address: "" }];
  const at = (width: number): string => stripVTControlCharacters(formatTable(rows, log, width));
  expect(at(56)).toContain("template_version.created  Ada created a version: welcome");
  expect(at(55)).toBe("MESSAGE\nAda created a version: welcome\n");
  expect(at(20)).toBe("MESSAGE\nAda created a versi…\n");
});

test("a column that may be shortened is dropped before a list of four columns becomes blocks", () => {
  const list: Column<Row>[] = [...columns, { title: "TEXT", cell: () => "so many words", narrow: "cut" }];
  const text = stripVTControlCharacters(
    formatTable([{ name: "Ada", count: 1, address: "a@b.example" }], list, 26),
  );
  expect(text).toBe("NAME  COUNT  ADDRESS\nAda       1  a@b.example\n");
});

test("a field's long value continues below its beginning, unless one of its words has to stay whole", () => {
  const fields = [
    ["keys", "first (active), second (standby)"],
    ["token", "of sk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
  ] as const;
  expect(stripVTControlCharacters(formatFields(fields, 26))).toBe(
    "keys   first (active),\n       second (standby)\ntoken  of sk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
  );
  expect(stripVTControlCharacters(formatFields(fields))).toContain(
    "keys   first (active), second (standby)\n",
  );
});

test("a field's text keeps its lines, below its beginning, and nothing else that could repaint", () => {
  const message = "From: a\r\n\r\nHi \u001b[2J\u202eevil\n";
  expect(stripVTControlCharacters(formatFields([["message", message]], 40))).toBe(
    "message  From: a\n         \n         Hi �[2J�evil\n",
  );
});

test("a terminal that tells 0 columns has room for every column", () => {
  const { columns: before } = process.stdout;
  onTestFinished(() => void Object.assign(process.stdout, { columns: before }));
  process.stdout.columns = 0;
  expect(plain([{ name: "Ada", count: 1, address: "a" }])).toBe("NAME  COUNT  ADDRESS\nAda       1  a\n");
});

test("in blocks, texts to read are wrapped between words, and values to copy are not", () => {
  const record: Column<Row>[] = [
    { title: "VALUE", cell: () => "v=spf1 include:a.example ~all" },
    { title: "HINT", cell: ({ name }) => name, narrow: "wrapped" },
  ];
  const rows = [{ name: "Publish it at the domain", count: 1 }];
  expect(stripVTControlCharacters(formatTable(rows, record, 24))).toBe(
    "VALUE  v=spf1 include:a.example ~all\nHINT   Publish it at the\n       domain\n",
  );
});

test("one address that is longer than the terminal does not make blocks of all rows", () => {
  const long = { name: "Eve", count: 3, address: `${"long-".repeat(6)}@example.com` };
  const rows = [
    { name: "Ada", count: 1, address: "ada@example.com" },
    { name: "Bob", count: 2, address: "bob@example.com" },
  ];
  expect(plain([...rows, long], 36)).toBe(
    [
      "NAME  COUNT  ADDRESS",
      "Ada       1  ada@example.com",
      "Bob       2  bob@example.com",
      `Eve       3  ${long.address}`,
      "",
    ].join("\n"),
  );
  expect(plain([long, long, ...rows], 36)).toContain("COUNT    3");
});

test("a name in Arabic or Hebrew leaves the numbers after it where they are", () => {
  expect(plain([{ name: "منى", count: 1, address: "a" }])).toContain("منى\u200e       1  a");
});

test("a list with an id, an age, a state and two texts keeps all of them at 80 columns", () => {
  const id = "0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d";
  const cells = [
    id,
    "12 min",
    "suppressed",
    "edith.langenscheidt@example.com",
    "Your receipt of the order 1007",
  ];
  const listed = ["ID", "AGE", "STATUS", "TO", "SUBJECT"].map((title, at): Column<string[]> => {
    const column = { title, cell: (row: string[]) => row[at] };
    return at < 3 ? column : { ...column, narrow: "cut" };
  });
  expect(stripVTControlCharacters(formatTable([cells], listed, 80)).split("\n")[1]).toBe(
    `${id}  12 min  suppressed  edith.lan…  Your rece…`,
  );
});

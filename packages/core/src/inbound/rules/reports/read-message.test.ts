import { expect, test } from "vitest";
import { allParts, fieldOf, readMessage } from "./read-message.ts";

const bodiesOf = (lines: readonly string[]): string[] =>
  allParts(readMessage(lines.join("\r\n"))).flatMap(({ parts, body }) => (parts.length > 0 ? [] : [body]));

test.each([
  ["base64", Buffer.from("one\r\ntwo = zwölf").toString("base64").replace(/.{8}/g, "$&\r\n")],
  [" BASE64 ", Buffer.from("one\ntwo = zwölf").toString("base64")],
  ["quoted-printable", "on=\r\ne\r\ntwo =3D zw=c3=\r\n=B6lf"],
  ["Quoted-Printable", "one\r\ntwo = z=  \r\nw=C3=b6lf"],
])("content in %s is decoded", (encoding, content) => {
  const lines = [`Content-Transfer-Encoding: ${encoding}`, "", content];
  expect(bodiesOf(lines)).toEqual([Buffer.from("one\ntwo = zwölf").toString("latin1")]);
});

test("what only looks like an escape stays", () => {
  const lines = ["Content-Transfer-Encoding: quoted-printable", "", "a=3 b=x9 c=9x ==41 d=4"];
  expect(bodiesOf(lines)).toEqual(["a=3 b=x9 c=9x =A d=4"]);
});

test("parts stand between lines of nothing but the boundary, the last of which may be missing", () => {
  const type = 'Content-Type: multipart/mixed (of two); x="; boundary"; Boundary = "a\\"b"';
  const inner = ["Content-Type: multipart/alternative; boundary=a", "", "--a", "", "1", "--a", "", "2"];
  const parts = ['--a"b \t', ...inner, '--a"b', "", '3\r\n--a"bc\r\n --a"b'];
  expect(bodiesOf([type, "", "before", ...parts, '--a"b--', "after"])).toEqual([
    "1",
    "2",
    '3\n--a"bc\n --a"b',
  ]);
  expect(bodiesOf([type, "", ...parts])).toHaveLength(3);
});

test("a folded line belongs to its field, whatever it looks like, and what is no field is skipped", () => {
  const message = readMessage(
    "From MAILER-DAEMON\nTo : ada@example.com\nX-A: one\n \tTo: eve@example.com\n: none\nx-b:\n\nX-C: body",
  );
  expect(message.fields).toContainEqual({ name: "x-a", value: "one To: eve@example.com" });
  expect(["to", "x-b", "x-c"].map((name) => fieldOf(message, name))).toEqual(["ada@example.com", "", ""]);
  expect(message.body).toBe("X-C: body");
});

test("of a field no more is read than of a line, also if it is folded", () => {
  const long = "a".repeat(20_000);
  const message = readMessage(`X-A: ${long}\nX-B: b\n ${long}\n ${long}\n\n`);
  expect(message.fields.map(({ value }) => value)).toEqual(["a".repeat(10_000), `b ${"a".repeat(9_998)}`]);
});

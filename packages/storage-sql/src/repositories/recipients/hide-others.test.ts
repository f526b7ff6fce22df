import { expect, test } from "vitest";
import { othersHidden } from "./hide-others.ts";

const person = { workspaceId: 1, address: "Ada@people.example", addressKey: "ada@people.example" };
const hide = othersHidden(person);
const other = "(another address)";

test.each([
  ["550 <bob@x.example>: not ADA@People.example.", `550 <${other}>: not ADA@People.example.`],
  ["x.ada@people.example, ada@people.example", `${other}, ada@people.example`],
  [
    "https://x.example/?to=bob%40x.example&cc=ada%40people.example",
    `https://x.example/?to=${other}&cc=ada%40people.example`,
  ],
  ["ada%40people.example%2Cbob%40x.example", `ada%40people.example${other}`],
  ["jörg@müller.example. No @sign, a@ nor 7 %", `${other}. No @sign, a@ nor 7 %`],
])("%s", (text, shown) => {
  expect(hide.inText(text)).toBe(shown);
});

test("in JSON, lists lose items about others alone; the sender stays", () => {
  const told = {
    from: "Shop <shop@shop.example>",
    emails: [
      { id: "1", to: ["bob@x.example"] },
      { id: "2", to: ["Ada <ada@people.example>", "bob@x.example"] },
    ],
    skipped: [
      { to: "bob@x.example", key: "bob" },
      { to: "ada@people.example", message: "\nbob@x.example" },
    ],
    metadata: { "bob@x.example": 1, total: 3 },
  };
  expect(JSON.parse(hide.inJson(JSON.stringify(told)))).toEqual({
    from: told.from,
    emails: [{ id: "2", to: ["Ada <ada@people.example>", other] }],
    skipped: [{ to: "ada@people.example", message: `\n${other}` }],
    metadata: { [other]: 1, total: 3 },
  });
});

test("in a key the person's address may have any prefix", () => {
  expect(othersHidden(person, { isKey: true }).inText("to-ada@people.example")).toBe("to-ada@people.example");
  expect(othersHidden(person, { isKey: true }).inText("to-bob@x.example")).toBe(other);
});

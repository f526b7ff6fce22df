import { expect, test } from "vitest";
import { parseMailbox } from "./addresses.ts";
import { quoteCellName } from "./quote-cell-name.ts";

const jane = { name: "Doe, Jane", address: "jane@b.example" };

test.each([
  ["Doe, Jane <jane@b.example>", jane],
  ['"Doe, Jane" <jane@b.example>', jane],
  [" Dr. Jane (Sales)  <jane@b.example> ", { ...jane, name: "Dr. Jane (Sales)" }],
  ["Jane <jane@b.example>", { ...jane, name: "Jane" }],
  ["<jane@b.example>", { ...jane, name: "" }],
  ["jane@b.example", { ...jane, name: "" }],
  ["ada@b.example, Jane <jane@b.example>", undefined],
  ["Doe, <Jane> <jane@b.example>", undefined],
  ["Doe, Jane <nobody>", undefined],
  ["", undefined],
])("a cell with %j names %j", (cell, mailbox) => {
  expect(parseMailbox(quoteCellName(cell))).toEqual(mailbox);
});

import { expect, test } from "vitest";
import { addressOfCell } from "./address-of-cell.ts";
import { parseMailbox } from "./addresses.ts";

const jane = { name: "Doe, Jane", address: "jane@b.example" };

test.each([
  ["Doe, Jane <jane@b.example>", jane],
  ['"Doe, Jane" <jane@b.example>', jane],
  [" Dr. Jane (Sales)  <jane@b.example> ", { ...jane, name: "Dr. Jane (Sales)" }],
  ["Jane <jane@b.example>", { ...jane, name: "Jane" }],
  ["<jane@b.example>", { ...jane, name: "" }],
  ["jane@b.example", { ...jane, name: "" }],
  ["'+jane@b.example", { name: "", address: "+jane@b.example" }],
  ["'jane@b.example", { name: "", address: "'jane@b.example" }],
  ["ada@b.example, Jane <jane@b.example>", undefined],
  ["Doe, <Jane> <jane@b.example>", undefined],
  ["Doe, Jane <nobody>", undefined],
  ["", undefined],
])("a cell with %j names %j", (cell, mailbox) => {
  expect(parseMailbox(addressOfCell(cell))).toEqual(mailbox);
});

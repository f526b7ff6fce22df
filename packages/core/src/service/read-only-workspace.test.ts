import { expect, test } from "vitest";
import type { OnlyWorkspaceOption } from "./only-workspace.ts";
import { readOnlyWorkspace } from "./read-only-workspace.ts";

test("a workspace by name gets the host's id `only`, and a name as it is stored", () => {
  expect(readOnlyWorkspace({ name: "  Shop " })).toEqual({ name: "Shop", externalId: "only" });
  expect(readOnlyWorkspace({ name: "Shop", externalId: "7" })).toEqual({ name: "Shop", externalId: "7" });
  expect(readOnlyWorkspace({ id: 7 })).toEqual({ id: 7 });
  const withoutId = { id: undefined, name: "Shop" } as unknown as OnlyWorkspaceOption;
  expect(readOnlyWorkspace(withoutId)).toEqual({ name: "Shop", externalId: "only" });
});

test.each([
  ["workspace must be { name } or { id }; it is ", "Shop"],
  ["workspace must be { name } or { id }; it is null", null],
  ["workspace must be { name } or { id }; it is {}", {}],
  ["workspace must be { name } or { id }; it is { id: 7, name: 'Shop' }", { id: 7, name: "Shop" }],
  ["there is no option workspace.externalID; the options are ", { name: "Shop", externalID: "7" }],
  ["workspace.id must be a whole number from 1 to ", { id: 1.5 }],
  ["workspace.id must be a number from 1 to ", { id: "7" }],
  ["workspace.name must not be empty", { name: " " }],
  ["workspace.name must not contain a link", { name: "http://shop.example" }],
  ["workspace.externalId must not be empty", { name: "Shop", externalId: "" }],
])("a bad one is named: %s", (message, option) => {
  const reading = () => readOnlyWorkspace(option as OnlyWorkspaceOption);
  expect(reading).toThrow(TypeError);
  expect(reading).toThrow(message);
});

test("its fault shows a value that JSON has no form for", () => {
  expect(() => readOnlyWorkspace({ name: 5n as unknown as string })).toThrow(/^workspace\.name .* it is 5n$/);
});

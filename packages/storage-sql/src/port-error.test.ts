import { StorageUnavailable } from "@posthorn/core/storage";
import { expect, test } from "vitest";
import type { Engine } from "./engine.ts";
import { portError } from "./port-error.ts";

const engine = { isUniqueViolation: () => undefined, isUnavailable: () => false } as unknown as Engine;

test.each([
  { code: "SQLITE_ERROR", message: "no such table: posthorn_workspaces" },
  { code: "42P01", message: 'relation "posthorn.workspaces" does not exist' },
])("a host that did not migrate is told so: $message", (error) => {
  const told = portError(engine, error);
  expect(told).toBeInstanceOf(StorageUnavailable);
  expect(told).toMatchObject({ message: expect.stringContaining("call migrate()"), cause: error });
});

test("any other error stays what it is", () => {
  const error = new Error("no such column: x");
  expect(portError(engine, error)).toBe(error);
});

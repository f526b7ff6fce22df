import { expect, test } from "vitest";
import { errorMessages, ServiceError } from "../errors.ts";
import { silentLogger } from "../ports/logger.ts";
import { useCases } from "../use-cases.ts";
import { type Refusing, refusalsOf, reportUndeclared } from "./refusals.ts";

const declared = Object.values(useCases).flatMap((verbs): Refusing[] => Object.values(verbs));

test("an undeclared refusal is logged; test worlds fail because of it", () => {
  const told: object[] = [];
  const logger = { ...silentLogger, error: (fields: object) => void told.push(fields) };
  const refusing: Refusing = { access: "administrator", refusals: ["plan_in_use"] };
  const own = ["plan_in_use", "administrator_required", "validation_failed"] as const;
  for (const code of [...own, "unavailable", "internal_error"] as const)
    reportUndeclared(logger, refusing, new ServiceError(code));
  expect(told).toEqual([]);
  reportUndeclared(logger, refusing, new ServiceError("email_taken"));
  expect(told).toMatchObject([{ code: "email_taken" }]);
});

test("every code is declared by a use case, or belongs to every call, or to HTTP", () => {
  const used = new Set<string>(declared.flatMap(refusalsOf));
  expect(Object.keys(errorMessages).filter((code) => !used.has(code))).toEqual([
    "api_key_expired",
    "method_not_allowed",
    "internal_error",
    "unavailable",
  ]);
});

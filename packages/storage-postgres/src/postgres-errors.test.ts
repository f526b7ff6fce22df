import { expect, test } from "vitest";
import { endsConnection, isConflict, isUnavailable } from "./postgres-errors.ts";

test("a plan older than its tables is recognised whatever the server's language, and the connection is not used again", () => {
  const answer = { code: "0A000", routine: "RevalidateCachedQuery" };
  for (const words of [
    "cached plan must not change result type",
    "gecachter Plan darf den Ergebnistyp nicht ändern",
  ]) {
    const error = Object.assign(new Error(words), answer);
    expect([isConflict(error), isUnavailable(error), endsConnection(error)]).toEqual([true, true, true]);
  }
  const other = Object.assign(new Error("cross-database references are not implemented"), {
    ...answer,
    routine: "RangeVarGetRelidExtended",
  });
  expect([isConflict(other), isUnavailable(other), endsConnection(other)]).toEqual([false, false, false]);
});

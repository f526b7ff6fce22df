import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pagesOf } from "./paging.ts";

const first = { page: 0, size: 2 };

test("a cursor continues its own list, and is refused by every other and if it was changed", () => {
  const [users, events] = [pagesOf("users"), pagesOf("events")];
  const place = { key: 7, total: 40, time: 1_800_000_000_000 };
  const found = { items: [9, 7], total: 40, after: place };
  const { after = "" } = users.pageOf(found, first, (item) => item);
  expect(users.sliceOf({ ...first, after })).toEqual({ offset: 0, limit: 2, after: place });
  expect(() => events.sliceOf({ ...first, after })).toThrow("must be the `after` of a page of this list");
  const text = Buffer.from(after, "base64url").toString();
  const places = [text.replace("7.40", "8.40"), text.replace(".40.", ".41."), text.slice(0, -1)];
  const others = places.map((place) => Buffer.from(place).toString("base64url"));
  for (const changed of [after.slice(1), after.slice(4), `${after}AAAA`, "x", "7.40", ...others])
    expect(() => users.sliceOf({ ...first, after: changed })).toThrow("must be the `after`");
});

test.each([40, 400, 4_000])(
  "a cursor of %d items has one spelling, although base64 is read leniently",
  (total) => {
    const users = pagesOf("users");
    const found = { items: [9, 7], total, after: { key: 7, total } };
    const { after = "" } = users.pageOf(found, first, (item) => item);
    for (const added of ["A", "=", "*", " "])
      expect(() => users.sliceOf({ ...first, after: `${after}${added}` })).toThrow("must be the `after`");
  },
);

test("no two lists share a name, by which their cursors are known", () => {
  const cwd = join(import.meta.dirname, "..");
  const sources = globSync("**/list-*.ts", { cwd }).map((name) => readFileSync(join(cwd, name), "utf8"));
  const names = sources.flatMap((text) =>
    [...text.matchAll(/pagesOf\("([^"]+)"\)/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(15);
  expect(new Set(names).size).toBe(names.length);
});

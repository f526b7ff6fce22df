import { noCounts } from "@posthorn/core/storage";
import { expect, test } from "vitest";
import { createDomainSums } from "./metric-sums.ts";

const accepted = (by: number) => ({ ...noCounts(), accepted: by });

test("sums the smallest domains beyond the limit as others, and loses nothing", () => {
  const sums = createDomainSums(4);
  for (let n = 1; n <= 20; n++) {
    sums.add("large.example", accepted(100));
    sums.add(`${n}.example`, accepted(n));
  }
  const { domains, others } = sums.end(1);
  expect(domains).toEqual([{ domain: "large.example", ...accepted(2_000) }]);
  expect(others).toEqual(accepted(210));
});

import type { LookupOptions } from "node:dns";
import { expect, test } from "vitest";
import { isPublicAddress } from "../rules/public-address.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { LookupFault } from "./lookup-fault.ts";

function lookUp(found: string[] | LookupFault, options: LookupOptions = { all: true }): Promise<unknown> {
  const resolver = {
    async resolve() {
      if (found instanceof LookupFault) throw found;
      return found.map((address) => ({
        address,
        family: address.includes(":") ? (6 as const) : (4 as const),
      }));
    },
  };
  return new Promise((resolve, reject) =>
    guardedLookup(resolver, isPublicAddress)("a.example", options, (error, address, family) =>
      error ? reject(error) : resolve(options.all ? address : [address, family]),
    ),
  );
}

test("returns what the socket requests: all addresses, one, or one family", async () => {
  const found = ["8.8.8.8", "2606:4700::1"];
  expect(await lookUp(found)).toEqual([
    { address: "8.8.8.8", family: 4 },
    { address: "2606:4700::1", family: 6 },
  ]);
  expect(await lookUp(found, {})).toEqual(["8.8.8.8", 4]);
  expect(await lookUp(found, { family: 6 })).toEqual(["2606:4700::1", 6]);
  await expect(lookUp(["8.8.8.8"], { family: 6 })).rejects.toMatchObject({ reason: "not_found" });
});

test("refuses a name if any of its addresses is forbidden, whichever the socket requests", async () => {
  await expect(lookUp(["8.8.8.8", "10.0.0.1"])).rejects.toMatchObject({ reason: "blocked" });
  await expect(lookUp(["8.8.8.8", "::1"], { family: 4 })).rejects.toMatchObject({ reason: "blocked" });
  await expect(lookUp(new LookupFault("a.example", "unavailable"))).rejects.toThrow(/no name server/);
});

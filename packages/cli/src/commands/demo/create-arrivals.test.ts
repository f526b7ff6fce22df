import { expect, test } from "vitest";
import { createArrivals } from "./create-arrivals.ts";

test("waiting alone keeps no process running: a demo whose reader had gone ended ten seconds later", async () => {
  const running = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const arrivals = createArrivals<string>();
  const before = running();
  const arrived = arrivals.waitFor("the mail", (one) => one === "mail");
  expect(running()).toBe(before);
  arrivals.add("mail");
  expect(await arrived).toBe("mail");
});

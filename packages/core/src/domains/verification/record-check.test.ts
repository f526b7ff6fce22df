import { expect, test } from "vitest";
import { addVerified, verify, withdraw } from "../../../test/sending-domain.ts";
import { day, hour, minute, openWorldForEach, world } from "../../../test/world-for-each.ts";

openWorldForEach();

test("72 hours of failed checks fail a domain, too, of which a clock warned that was ahead", async () => {
  const domain = await addVerified();
  withdraw(domain);
  const step = async (ms: number) => {
    world.clock.step(ms);
    // The service looks at the database's clock again.
    world.clock.advance(minute);
    await world.posthorn.drain();
  };
  await step(30 * day);
  expect((await verify(domain)).status).toBe("warning");
  await step(-30 * day);
  expect((await verify(domain)).status).toBe("warning");
  world.clock.advance(71 * hour);
  expect((await verify(domain)).status).toBe("warning");
  world.clock.advance(hour);
  expect((await verify(domain)).status).toBe("failed");
});

import { expect, test } from "vitest";
import { closeMailersAfterEach, start } from "../../../test/open-mailer.ts";
import { sampleMessage } from "../../../test/sample-message.ts";

closeMailersAfterEach();

test("a message that requires TLS tries it again where a fault of it had others go in cleartext", async () => {
  let isBroken = true;
  const { server, mailer } = await start({
    hasTls: true,
    extensions: ["STARTTLS"],
    command(line, { socket }) {
      if (line !== "STARTTLS") return null;
      if (!isBroken) return "220 go on";
      socket.end("220 go on\r\n");
      return undefined;
    },
  });
  const over = async (requiresTls: boolean) =>
    (await mailer.send({ ...sampleMessage(), requiresTls })).recipients[0];
  expect(await over(false)).toMatchObject({ outcome: "accepted" });
  expect(server.sessions).toHaveLength(2);
  expect(await over(true)).toMatchObject({
    outcome: "deferred",
    reply: expect.stringContaining("requires TLS"),
  });
  isBroken = false;
  expect(await over(true)).toMatchObject({ outcome: "accepted" });
  expect(await over(false)).toMatchObject({ outcome: "accepted" });
});

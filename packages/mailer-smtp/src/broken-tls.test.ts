import { expect, onTestFinished, test } from "vitest";
import { sampleMessage } from "../test/sample-message.ts";
import { type Script, startScriptedServer } from "../test/scripted-server.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";

test("a message that requires TLS tries it again where a fault of it had others go in cleartext", async () => {
  let isBroken = true;
  const script: Script = {
    hasTls: true,
    extensions: ["STARTTLS"],
    command(line, { socket }) {
      if (line !== "STARTTLS") return null;
      if (!isBroken) return "220 go on";
      socket.end("220 go on\r\n");
      return undefined;
    },
  };
  const server = await startScriptedServer(script);
  onTestFinished(server.close);
  const timeouts = { connect: 3000, greeting: 3000, command: 3000, dot: 3000 };
  const mailer = createSmtpMailer({ url: server.url, timeouts });
  onTestFinished(mailer.close);
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

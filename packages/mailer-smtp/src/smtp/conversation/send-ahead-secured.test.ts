import { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { closePoolsAfterEach, login, openPool } from "../../../test/open-pool.ts";
import type { Script } from "../../../test/scripted-server.ts";
import { sourceOf } from "../../compose/message-source.ts";

closePoolsAfterEach();

const replies: Record<string, string> = {
  STARTTLS: "220 go ahead",
  "AUTH PLAIN AGFubgBzZXNhbWU=": "235 welcome",
  "AUTH LOGIN": "334 VXNlcm5hbWU6",
  YW5u: "334 UGFzc3dvcmQ6",
  c2VzYW1l: "235 welcome",
};

describe("envelopes go out with the content before them", () => {
  test.each(["PLAIN", "LOGIN"])(
    "over STARTTLS after AUTH %s, for one login a connection",
    async (mechanism) => {
      const behind: string[] = [];
      const script: Script = {
        hasTls: true,
        extensions: ["PIPELINING", "STARTTLS", `AUTH ${mechanism}`],
        command: (line) => replies[line] ?? null,
        dot(_, session) {
          behind.push(session.behind);
          return session.socket instanceof TLSSocket ? "250 taken" : "554 not encrypted";
        },
      };
      const { pool, server } = await openPool(script, { connections: 1, security: "starttls", login });
      const names = Array.from({ length: 6 }, (_, index) => `m${index}`);
      const results = await Promise.all(
        names.map((name) =>
          pool.deliver({
            from: `${name}@example.org`,
            to: [`${name}@example.net`],
            source: sourceOf([Buffer.from(`Subject: ${name}\r\n\r\nhello\r\n`)]),
            isInternational: false,
          }),
        ),
      );
      expect(results.flatMap(({ recipients }) => recipients.map(({ code }) => code))).toEqual(
        names.map(() => 250),
      );
      expect(server.contents.map((content) => /Subject: (m\d)/.exec(content)?.[1])).toEqual(names);
      expect(behind).toEqual(
        ["", "m2", "", "m4", "m5", ""].map(
          (name) => name && `MAIL FROM:<${name}@example.org>\r\nRCPT TO:<${name}@example.net>\r\nDATA\r\n`,
        ),
      );
      expect(server.commands.filter((line) => line.startsWith("AUTH"))).toHaveLength(1);
    },
  );
});

test("envelopes never go out with the content before them to Dovecot, which crashes over it", async () => {
  const behind: string[] = [];
  const { pool } = await openPool(
    {
      greeting: () => "220 mail.example.net Dovecot (Debian) ready.",
      dot(_, session) {
        behind.push(session.behind);
        return null;
      },
    },
    { connections: 1 },
  );
  const deliver = () =>
    pool.deliver({
      from: "ann@example.org",
      to: ["bob@example.net"],
      source: sourceOf([Buffer.from("Subject: m\r\n\r\nhello\r\n")]),
      isInternational: false,
    });
  await Promise.all(Array.from({ length: 4 }, deliver));
  expect(behind).toEqual(["", "", "", ""]);
});

import { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { accepted, deliver, named, nameOf, sendAll } from "../../../test/named-mails.ts";
import { login, openPool } from "../../../test/open-pool.ts";
import type { Script } from "../../../test/scripted-server.ts";

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
      expect(await sendAll(pool, named(6))).toEqual(accepted(6));
      expect(server.contents.map(nameOf)).toEqual(named(6));
      expect(behind).toEqual(
        ["", "m2", "", "m4", "m5", ""].map(
          (name) => name && `MAIL FROM:<${name}@example.org>\r\nRCPT TO:<${name}@example.net>\r\nDATA\r\n`,
        ),
      );
      expect(server.commands.filter((line) => line.startsWith("AUTH"))).toHaveLength(1);
    },
  );
});

const dovecots: [string, Script][] = [
  ["its greeting", { greeting: () => "220 mail.example.net Dovecot (Debian) ready." }],
  ["its offer of BURL", { extensions: ["BURL imap", "PIPELINING"] }],
];

test.each(dovecots)(
  "envelopes never go out with the content before them to Dovecot, which crashes over it, known by %s",
  async (_, script) => {
    const behind: string[] = [];
    const { pool } = await openPool(
      {
        ...script,
        dot(_content, session) {
          behind.push(session.behind);
          return null;
        },
      },
      { connections: 1 },
    );
    expect(await sendAll(pool, named(4))).toEqual(accepted(4));
    expect(behind).toEqual(["", "", "", ""]);
  },
);

test("Dovecot, which passes on recipients beyond its limit if they come at once, gets them one by one", async () => {
  let unanswered = 0;
  const early: string[] = [];
  const { pool } = await openPool({
    greeting: () => "220 mail.example.net Dovecot (Debian) ready.",
    command(line, { socket }) {
      if (unanswered > 0) early.push(line);
      if (!line.startsWith("RCPT")) return null;
      unanswered += 1;
      setImmediate(() => {
        unanswered -= 1;
        socket.write("250 ok\r\n");
      });
      return undefined;
    },
  });
  const { recipients } = await deliver(pool, "m", { to: ["bob@example.net", "carol@example.net"] });
  expect(recipients.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
  expect(early).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { openSender as open } from "../test/open-mailer.ts";
import type { ScriptedSession } from "../test/scripted-server.ts";

describe("recipients", () => {
  test("one refused for the server's own reasons is deferred with the reply, while others are accepted", async () => {
    const { server, send } = await open({
      command: (line) => (line.includes("<carol@") ? "451 4.7.0 too many messages, slow down" : null),
    });
    const { recipients, held, told } = await send(["bob@example.net", "carol@example.net"]);
    expect(held).toBeUndefined();
    expect(told).toEqual(["accepted 250", "deferred 451"]);
    expect(recipients[1]?.reply).toContain("slow down");
    expect(server.contents).toHaveLength(1);
  });

  test("one for whom the server requires a login is deferred, not refused: the settings can be corrected", async () => {
    const { send } = await open({
      command: (line) => (line.includes("<carol@") ? "530 5.7.0 authentication required" : null),
    });
    expect((await send(["bob@example.net", "carol@example.net"])).told).toEqual([
      "accepted 250",
      "deferred 530",
    ]);
  });

  test.each([
    [20, "550 5.1.1 nobody", 5],
    [20, "450 4.2.0 Greylisted", 5],
    [1, "550 5.1.1 nobody", 91],
  ])(
    "a server that ends each connection after it has refused %i of them (%s) gets the others over new ones, and is not held",
    async (most, reply, connections) => {
      const refused = new Map<ScriptedSession, number>();
      const { server, send } = await open({
        command(line, session) {
          if (!line.startsWith("RCPT TO:<bad")) return null;
          const count = refused.get(session) ?? 0;
          refused.set(session, count + 1);
          if (count < most) return reply;
          // Postfix.
          return void session.socket.end("421 4.7.0 test Error: too many errors\r\n");
        },
      });
      const to = Array.from({ length: 100 }, (_, at) => `${at % 10 === 9 ? "good" : "bad"}${at}@example.net`);
      const { told, held } = await send(to);
      expect(held).toBeUndefined();
      const ofBad = reply.startsWith("5") ? "refused 550" : "deferred 450";
      expect(told).toEqual(to.map((address) => (address.startsWith("good") ? "accepted 250" : ofBad)));
      expect(server.sessions.length).toBeLessThanOrEqual(connections);
    },
  );

  test.each(["nothing", "a reply"])(
    "none is refused for another where the server closed the connection amid pipelined commands, with %s left out",
    async (missing) => {
      const { server, send } = await open({
        command(line, { number, socket }) {
          if (number === 1 && missing === "a reply" && line.includes("<a@")) return undefined;
          if (number === 1 && line.includes("<c@")) return void socket.end();
          return line.includes("<b@") ? "550 5.1.1 nobody" : null;
        },
      });
      const { told } = await send(["a@example.net", "b@example.net", "c@example.net"]);
      expect(told).toEqual(["accepted 250", "refused 550", "accepted 250"]);
      expect(server.sessions).toHaveLength(2);
    },
  );

  test("the only one is not refused by the reply to DATA where its own was left out and the server closed the connection", async () => {
    const { send } = await open({
      command(line, { number, socket }) {
        if (number > 1) return null;
        if (line === "DATA") return void socket.end("503 5.5.1 no valid recipients\r\n");
        return line.startsWith("RCPT") ? undefined : null;
      },
    });
    expect((await send(["a@example.net"])).told).toEqual(["accepted 250"]);
  });

  test("those that a server took before its last refusal, for which it then ends the connection at DATA, are sent to over a new one", async () => {
    const refused = new Set<ScriptedSession>();
    const { send, server } = await open({
      command(line, session) {
        if (line.startsWith("RCPT TO:<bad")) refused.add(session);
        if (line.startsWith("RCPT TO:<bad")) return "550 5.1.1 nobody";
        if (line !== "DATA" || !refused.has(session)) return null;
        return void session.socket.end("421 4.7.0 test Error: too many errors\r\n");
      },
    });
    expect((await send(["good@example.net", "bad@example.net"])).told).toEqual([
      "accepted 250",
      "refused 550",
    ]);
    expect(server.sessions).toHaveLength(2);
  });

  test("each keeps its result, whatever happens to those sent in a second transaction", async () => {
    let transactions = 0;
    const { server, send } = await open({
      command(line) {
        if (line.startsWith("MAIL") && ++transactions > 1) return "554 5.4.6 a loop";
        return line.includes("<carol@") ? "452 4.5.3 too many recipients" : null;
      },
    });
    expect((await send(["bob@example.net", "carol@example.net"])).told).toEqual([
      "accepted 250",
      "refused 554",
    ]);
    expect(server.contents).toHaveLength(1);
  });

  test("beyond fifty follow in further transactions: Amazon SES refuses the content for all of more", async () => {
    let recipients = 0;
    const { server, send } = await open({
      command(line) {
        if (line.startsWith("MAIL")) recipients = 0;
        if (line.startsWith("RCPT")) recipients += 1;
        return null;
      },
      dot: () => (recipients > 50 ? "554 Transaction failed: Recipient count exceeds 50." : null),
    });
    const many = Array.from({ length: 150 }, (_, index) => `person${index}@example.net`);
    const sent = await Promise.all([send(["ann@example.net"]), send(many), send(many)]);
    expect(sent.flatMap(({ told }) => told)).toEqual(Array(301).fill("accepted 250"));
    expect(server.contents).toHaveLength(7);
    expect(server.commands.filter((line) => line.startsWith("RCPT"))).toHaveLength(301);
  });

  test("refused for their number are sent apart, and deferred if the server takes none", async () => {
    const taken = new Set<string>();
    let limit = 2;
    const { send } = await open({
      command(line) {
        if (line.startsWith("MAIL")) taken.clear();
        if (!line.startsWith("RCPT"))
          return line === "DATA" && taken.size === 0 ? "503 5.5.1 no recipients" : null;
        if (taken.size >= limit) return "550 Too many recipients";
        taken.add(line);
        return null;
      },
    });
    const people = ["ann@example.net", "bob@example.net", "carol@example.net"];
    expect((await send(people)).told).toEqual(Array(3).fill("accepted 250"));
    limit = 0;
    expect((await send(people)).told).toEqual(Array(3).fill("deferred 550"));
  });

  test.each([
    ["with DATA as well", "552 too many recipients", "554 Too many recipients", undefined],
    ["with the content alone", "250 ok", "354 go on", "554 Transaction failed: Recipient count exceeds 3."],
  ])("refused for their number %s are sent in smaller parts", async (_, rcpt, data, dot) => {
    let recipients = 0;
    const { server, send } = await open({
      command(line) {
        if (line.startsWith("MAIL")) recipients = 0;
        if (line.startsWith("RCPT") && ++recipients > 3) return rcpt;
        return line === "DATA" && recipients > 3 ? data : null;
      },
      dot: () => (recipients > 3 ? dot : null) ?? null,
    });
    const ten = Array.from({ length: 10 }, (_, index) => `person${index}@example.net`);
    expect((await send(ten)).told).toEqual(Array(10).fill("accepted 250"));
    expect(server.sessions).toHaveLength(1);
  });

  test.each([1, 4, 37])(
    "refused for their number, %i of which the server takes for errors that end the connection, are sent in smaller parts",
    async (errors) => {
      const counts = new Map<ScriptedSession, number>();
      const { server, send } = await open({
        command(line, session) {
          if (line.startsWith("MAIL")) counts.set(session, 0);
          const count = (counts.get(session) ?? 0) + 1;
          if (line.startsWith("RCPT")) counts.set(session, count);
          // Postfix with a small smtpd_recipient_overshoot_limit.
          if (count > 5 + errors) return void session.socket.end("421 4.7.0 test Error: too many errors\r\n");
          return line.startsWith("RCPT") && count > 5 ? "452 4.5.3 Error: too many recipients" : null;
        },
      });
      const many = Array.from({ length: 42 }, (_, index) => `person${index}@example.net`);
      const { told, held } = await send(many);
      expect(held).toBeUndefined();
      expect(told).toEqual(Array(42).fill("accepted 250"));
      expect(server.contents).toHaveLength(9);
      expect(server.sessions).toHaveLength(2);
    },
  );

  test("beyond what a connection may have are sent over another", async () => {
    const seen = new Map<number, number>();
    const { server, send } = await open({
      command(line, { number }) {
        if (!line.startsWith("RCPT")) return null;
        const count = (seen.get(number) ?? 0) + 1;
        seen.set(number, count);
        return count > 3 ? "452 4.5.3 Too many recipients in this session" : null;
      },
    });
    for (let mail = 0; mail < 8; mail += 1) expect((await send()).told).toEqual(["accepted 250"]);
    expect(server.sessions).toHaveLength(3);
  });

  test("a single one refused for their number is refused", async () => {
    const { send } = await open({ dot: () => "554 5.5.3 too many recipients" });
    expect((await send()).told).toEqual(["refused 554"]);
  });

  test("wait, and are not refused, if the server requires a login after accepting them", async () => {
    const { send } = await open({
      command: (line) => (line === "DATA" ? "530 5.7.0 authentication required" : null),
    });
    expect(await send()).toMatchObject({ told: ["deferred"], held: { cause: "settings" } });
  });

  test("a connection closed at one of them accepts none, and the next accepts all", async () => {
    let closings = 1;
    const { server, send } = await open({
      extensions: [],
      command: (line) => (line.includes("<carol@") && closings-- > 0 ? "421 4.3.2 closing" : null),
    });
    expect((await send(["bob@example.net", "carol@example.net", "dan@example.net"])).told).toEqual(
      Array(3).fill("accepted 250"),
    );
    expect(server.contents).toHaveLength(1);
    expect(server.sessions).toHaveLength(2);
  });
});

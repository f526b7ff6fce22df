import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { accepted, outcomes, start } from "../test/open-mailer.ts";
import { sampleMessage } from "../test/sample-message.ts";

describe("connections", () => {
  test("are reused for one message after the other", async () => {
    const { mailer, server } = await start();
    for (let count = 0; count < 5; count += 1) expect(await outcomes(mailer)).toMatchObject(accepted);
    expect(server.sessions).toHaveLength(1);
  });

  test("are replaced after their number of messages", async () => {
    const { mailer, server } = await start({}, { messagesPerConnection: 2 });
    for (let count = 0; count < 5; count += 1) await mailer.send(sampleMessage());
    expect(server.sessions.map(({ message }) => message)).toEqual([2, 2, 1]);
  });

  test("never exceed the limit, and every message gets one in the end", async () => {
    let most = 0;
    let now = 0;
    const { mailer, server } = await start(
      {
        command: (line) => {
          if (line.startsWith("MAIL")) most = Math.max(most, ++now);
          return null;
        },
        dot: () => {
          now -= 1;
          return null;
        },
      },
      { connections: 3 },
    );
    expect(mailer.concurrency).toBe(3);
    const results = await Promise.all(Array.from({ length: 50 }, () => mailer.send(sampleMessage())));
    expect(results.every(({ recipients }) => recipients[0]?.outcome === "accepted")).toBe(true);
    expect(server.sessions.length).toBeLessThanOrEqual(3);
    expect(most).toBeLessThanOrEqual(3);
  });

  test.each([
    ["drops it", undefined],
    ["answers 421", "421 idle for too long"],
  ])("that died while idle cost no attempt (the server %s at the next message)", async (_, reply) => {
    const { mailer, server } = await start({
      command: (line, { socket, number, message }) => {
        if (number > 1 || message < 2 || !line.startsWith("MAIL")) return null;
        if (reply === undefined) socket.destroy();
        else socket.end(`${reply}\r\n`);
        return undefined;
      },
    });
    expect(await outcomes(mailer)).toMatchObject(accepted);
    expect(await outcomes(mailer)).toMatchObject(accepted);
    expect(server.sessions).toHaveLength(2);
  });

  test("carry more messages than an earlier one did, if the server allows it", async () => {
    const { mailer, server } = await start({
      command: (line, { number, message }) =>
        line.startsWith("MAIL") && number === 1 && message > 2 ? "452 too many messages" : null,
    });
    for (let count = 0; count < 6; count += 1) expect(await outcomes(mailer)).toMatchObject(accepted);
    expect(server.sessions).toHaveLength(2);
  });

  test("closed by the server at STARTTLS are followed by one in cleartext, if that is allowed", async () => {
    const { mailer, server } = await start({
      extensions: ["STARTTLS"],
      command(line, { socket }) {
        if (line !== "STARTTLS") return null;
        socket.end("421 4.3.2 closing\r\n");
        return undefined;
      },
    });
    expect(await outcomes(mailer)).toMatchObject(accepted);
    expect(server.sessions).toHaveLength(2);
  });

  test("closed by the server while idle are noticed", async () => {
    const { mailer, server } = await start();
    await mailer.send(sampleMessage());
    const closed = new Promise((resolve) => server.sessions[0]?.socket.once("close", resolve));
    server.sessions[0]?.socket.end("421 idle\r\n");
    await closed;
    expect(await outcomes(mailer)).toMatchObject(accepted);
    expect(server.sessions).toHaveLength(2);
  });

  test("are released after an idle time", async () => {
    const { mailer, server } = await start({}, { idleTime: 10 });
    await mailer.send(sampleMessage());
    await new Promise((resolve) => server.sessions[0]?.socket.once("close", resolve));
    expect(server.commands.at(-1)).toBe("QUIT");
  });

  test("are closed after the messages under way", async () => {
    const { mailer, server } = await start();
    const sending = mailer.send(sampleMessage());
    await mailer.close();
    expect((await sending).recipients[0]?.outcome).toBe("accepted");
    expect(await outcomes(mailer)).toMatchObject({ held: "closed", reason: "the mailer is closed" });
    expect(server.sessions).toHaveLength(1);
  });
});

test("closing waits for no reply to QUIT, and returns waiting messages", async () => {
  const { mailer, server } = await start(
    { command: (line) => (line === "QUIT" ? undefined : null) },
    { connections: 1 },
  );
  await mailer.send(sampleMessage());
  const [first, second] = [mailer.send(sampleMessage()), mailer.send(sampleMessage())];
  await expect.poll(() => server.contents.length).toBeGreaterThan(1);
  await mailer.close();
  expect((await first).recipients[0]?.outcome).toBe("accepted");
  // The message may have been sent just before.
  const { held, recipients } = await second;
  expect(held?.cause ?? recipients[0]?.outcome).toMatch(/^(?:closed|accepted)$/);
});

test("messages that wait for a connection are returned when their service stops, and those on one are finished", async () => {
  const { mailer, server } = await start({ dot: () => undefined }, { connections: 1 });
  const stopping = new AbortController();
  const first = mailer.send(sampleMessage(), { signal: stopping.signal });
  await expect.poll(() => server.contents.length).toBe(1);
  const second = mailer.send(sampleMessage(), { signal: stopping.signal });
  const others = mailer.send(sampleMessage());
  stopping.abort();
  expect((await second).held).toMatchObject({ cause: "closed" });
  expect((await mailer.send(sampleMessage(), { signal: stopping.signal })).held?.cause).toBe("closed");
  server.sessions[0]?.socket.write("250 taken\r\n");
  expect((await first).recipients[0]?.outcome).toBe("accepted");
  await expect.poll(() => server.contents.length).toBe(2);
  server.sessions[0]?.socket.write("250 taken\r\n");
  expect((await others).recipients[0]?.outcome).toBe("accepted");
});

test("messages for which the rate has no room within ten seconds are returned", async () => {
  const { mailer } = await start({}, { maxPerSecond: 0.5 });
  const sending = Array.from({ length: 10 }, () => mailer.send(sampleMessage()));
  const reason = "at most 0.5 messages per second for now";
  expect((await sending[9])?.held).toEqual({ cause: "limited", reason, retryAfterMs: 7_000 });
  await mailer.close();
  const causes = (await Promise.all(sending)).map(({ held }) => held?.cause);
  expect(causes.filter((cause) => cause === "limited")).toHaveLength(3);
});

test("a message that is no longer this process's when its turn comes is returned, and the connection serves others", async () => {
  const { mailer, server } = await start({ dot: () => undefined }, { connections: 1 });
  const first = mailer.send(sampleMessage());
  await expect.poll(() => server.contents.length).toBe(1);
  let isOurs = true;
  const second = mailer.send(sampleMessage(), { isStillOurs: () => isOurs });
  const others = mailer.send(sampleMessage());
  isOurs = false;
  server.sessions[0]?.socket.write("250 taken\r\n");
  expect((await first).recipients[0]?.outcome).toBe("accepted");
  expect(await second).toMatchObject({ held: { cause: "closed" }, inDoubt: false });
  await expect.poll(() => server.contents.length).toBe(2);
  server.sessions[0]?.socket.write("250 taken\r\n");
  expect((await others).recipients[0]?.outcome).toBe("accepted");
  expect(server.sessions).toHaveLength(1);
});

test("a message that is lost to another process in the middle of its transaction gets no final dot", async () => {
  let isOurs = true;
  const { mailer, server } = await start({
    command: (line) => {
      if (line.startsWith("DATA")) isOurs = false;
      return null;
    },
  });
  const result = await mailer.send(sampleMessage(), { isStillOurs: () => isOurs });
  expect(result).toMatchObject({ held: { cause: "closed" }, inDoubt: false });
  expect(server.contents).toEqual([]);
  expect(await outcomes(mailer)).toMatchObject(accepted);
});

test("a program waits for its messages, also while one waits for a connection to be closed", async () => {
  const { server } = await start({
    command(line, { socket }) {
      const end = socket.end.bind(socket);
      // Long enough for a program without anything else to do to be over.
      if (line === "QUIT") socket.end = () => socket.setTimeout(50, end);
      return null;
    },
  });
  const program = `
    import { createSmtpMailer } from "../src/create-smtp-mailer.ts";
    import { sampleMessage } from "../test/sample-message.ts";
    const mailer = createSmtpMailer({ url: "${server.url}", connections: 1, messagesPerConnection: 1 });
    const sent = await Promise.all([1, 2].map(() => mailer.send(sampleMessage())));
    console.log(sent.map(({ recipients }) => recipients[0].outcome).join());`;
  const run = ["--conditions=posthorn-source", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, run, { cwd: import.meta.dirname });
  expect(stdout).toBe("accepted,accepted\n");
});

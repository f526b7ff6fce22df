import { pbkdf2 } from "node:crypto";
import { createSocket } from "node:dgram";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import ipaddr from "ipaddr.js";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createHostResolver, type HostResolverOptions } from "./create-host-resolver.ts";
import { LookupFault, type LookupReason } from "./lookup-fault.ts";

/** The name server's records: addresses with their time to live in seconds, or `"silent"` for no answer. */
let records: Record<
  string,
  { ttl: number; addresses: string[] } | "silent" | "late" | "silent on AAAA" | "fails" | "alias"
>;
/** What answers the queries for names that are `"late"`. */
const late: (() => void)[] = [];
/** Queries received so far, such as `A name`. */
let asked: string[];
let now: number;
let folder: string;
let server: string;
const socket = createSocket("udp4");
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hosts-"));
  await writeFile(
    join(folder, "hosts"),
    "127.0.0.9 Known.example alias # not.example\n::9\tknown.example\nbad\n",
  );
  await writeFile(join(folder, "resolv.conf"), "search old.test\nsearch inner.test cluster.local.\n");
  const answer = (message: Buffer, port: number): void => {
    const reply = answerTo(message);
    if (reply === "late") late.push(() => answer(message, port));
    else if (reply) socket.send(reply, port, "127.0.0.1");
  };
  socket.on("message", (message, { port }) => answer(message, port));
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  server = `127.0.0.1:${socket.address().port}`;
});
afterAll(async () => {
  socket.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  records = {};
  asked = [];
  now = 0;
});

/** Answers one DNS query (RFC 1035 §4.1). */
function answerTo(message: Buffer): Buffer | "late" | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const name = labels.join(".").toLowerCase();
  const isAaaa = message.readUInt16BE(at + 1) === 28;
  asked.push(`${isAaaa ? "AAAA" : "A"} ${name}`);
  const known = records[name];
  if (known === "late") return known;
  if (known === "silent" || (known === "silent on AAAA" && isAaaa)) return undefined;
  const { ttl, addresses } =
    known === "silent on AAAA"
      ? { ttl: 60, addresses: ["192.0.2.1"] }
      : typeof known === "object"
        ? known
        : { ttl: 0, addresses: [] };
  const fitting = addresses.filter((address) => isIPv6(address) === isAaaa);
  const head = Buffer.from(message.subarray(0, 12));
  head.writeUInt16BE(known === "fails" ? 0x8182 : known === undefined ? 0x8183 : 0x8180, 2);
  for (const [index, count] of [1, fitting.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + index * 2);
  if (known === "alias") {
    head.writeUInt16BE(1, 6);
    // It leads to another name, below this one, of which nothing is said.
    const alias = Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, 4, 1, 120, 0xc0, 12]);
    return Buffer.concat([head, message.subarray(12, at + 5), alias]);
  }
  const answers = fitting.map((address) => {
    const bytes = ipaddr.parse(address).toByteArray();
    const record = Buffer.from([0xc0, 12, 0, isAaaa ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
    record.writeUInt32BE(ttl, 6);
    return record;
  });
  return Buffer.concat([head, message.subarray(12, at + 5), ...answers]);
}

const open = (options: HostResolverOptions = {}) =>
  createHostResolver({
    servers: [server],
    hostsFile: join(folder, "hosts"),
    resolvConf: join(folder, "resolv.conf"),
    now: () => now,
    ...options,
  });
const addresses = async (resolver: ReturnType<typeof open>, name: string): Promise<string[]> =>
  (await resolver.resolve(name)).map(({ address }) => address);
const reason = (outcome: Promise<unknown>): Promise<LookupReason | undefined> =>
  outcome.then(
    () => undefined,
    (error: unknown) => (error instanceof LookupFault ? error.reason : undefined),
  );

describe("a host resolver", () => {
  test("finds every address, IPv4 first, and caches them as long as the records live", async () => {
    records["a.example"] = { ttl: 30, addresses: ["2001:db8::1", "192.0.2.1", "192.0.2.2"] };
    const resolver = open();
    const found = await Promise.all([1, 2, 3].map(() => resolver.resolve("A.example.")));
    expect(found[2]?.map(({ family }) => family)).toEqual([4, 4, 6]);
    now = 29_999;
    expect(await addresses(resolver, "a.example")).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
    expect([...asked].sort()).toEqual(["A a.example", "AAAA a.example"]);
    records["a.example"] = { ttl: 86_400, addresses: ["192.0.2.3"] };
    now = 30_000;
    expect(await addresses(resolver, "a.example")).toEqual(["192.0.2.3"]);
    // Answers are cached for at most five minutes, whatever their time to live, so that a name that was moved is found.
    now += 300_000;
    await resolver.resolve("a.example");
    expect(asked).toHaveLength(6);
  });

  test("does not cache records without a lifetime, and missing names only briefly", async () => {
    records["none.example"] = { ttl: 0, addresses: ["192.0.2.1"] };
    const resolver = open();
    await resolver.resolve("none.example");
    await resolver.resolve("none.example");
    expect(asked).toHaveLength(4);
    expect(await reason(resolver.resolve("gone.example"))).toBe("not_found");
    expect(await reason(resolver.resolve("gone.example"))).toBe("not_found");
    expect(asked).toHaveLength(6);
    now += 10_000;
    records["gone.example"] = { ttl: 1, addresses: ["192.0.2.7"] };
    expect(await addresses(resolver, "gone.example")).toEqual(["192.0.2.7"]);
  });

  test("uses the hosts file, localhost and literal addresses without a query", async () => {
    const resolver = open();
    expect(await addresses(resolver, "KNOWN.example")).toEqual(["127.0.0.9", "::9"]);
    expect(await addresses(resolver, "alias")).toEqual(["127.0.0.9"]);
    expect(await addresses(resolver, "shop.localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(await addresses(resolver, "::1")).toEqual(["::1"]);
    expect(asked).toEqual([]);
  });

  test("tries the search domains if requested, and only then", async () => {
    records["mail.cluster.local"] = { ttl: 1, addresses: ["10.0.0.1"] };
    expect(await addresses(open({ searches: true }), "mail")).toEqual(["10.0.0.1"]);
    expect(asked).toContain("A mail.inner.test");
    expect(asked).not.toContain("A mail.old.test");
    expect(await reason(open().resolve("mail"))).toBe("not_found");
  });

  test("distinguishes a missing name from no answer, which is not cached", async () => {
    records["empty.example"] = { ttl: 9, addresses: [] };
    records["alias.example"] = "alias";
    records["broken.example"] = "fails";
    const resolver = open();
    expect(await reason(resolver.resolve("alias.example"))).toBe("not_found");
    expect(await reason(resolver.resolve("empty.example"))).toBe("not_found");
    expect(await reason(resolver.resolve(`${"x".repeat(70)}.example`))).toBe("not_found");
    expect(await reason(resolver.resolve("\0"))).toBe("not_found");
    expect(await reason(resolver.resolve("broken.example"))).toBe("unavailable");
    records["mute.example"] = "silent";
    expect(await reason(open({ timeoutMs: 40 }).resolve("mute.example"))).toBe("unavailable");
    records["mute.example"] = { ttl: 9, addresses: ["192.0.2.4"] };
    expect(await addresses(open(), "mute.example")).toEqual(["192.0.2.4"]);
  });

  test("waits only briefly for the other address family", async () => {
    records["half.example"] = "silent on AAAA";
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let found: string[] | undefined;
    const resolving = addresses(open({ timeoutMs: 60_000 }), "half.example").then((all) => {
      found = all;
    });
    // Both ends of the query are in this thread: the answer has long arrived when half of that time has passed.
    for (let passed = 0; found === undefined && passed < 30_000; passed += 10) {
      vi.advanceTimersByTime(10);
      await turn();
    }
    expect(found).toEqual(["192.0.2.1"]);
    await resolving;
  });

  test("uses no thread of the pool, however many names get no answer", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `late${index}.example`);
    for (const name of names) records[name] = "late";
    const resolver = open({ timeoutMs: 60_000 });
    const order: string[] = [];
    const lookups = names.map((name) => reason(resolver.resolve(name)).then((end) => order.push(`${end}`)));
    await Promise.all(
      Array.from({ length: 8 }, () => promisify(pbkdf2)("pass", "salt", 1_000, 32, "sha256")),
    );
    order.push("hashed");
    for (const name of names) delete records[name];
    for (const answer of late.splice(0)) answer();
    await Promise.all(lookups);
    expect(order).toEqual(["hashed", ...names.map(() => "not_found")]);
  });
});

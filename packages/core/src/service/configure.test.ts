import { describe, expect, test } from "vitest";
import type { HttpSender } from "../ports/http-sender.ts";
import type { Logger } from "../ports/logger.ts";
import type { Storage } from "../ports/storage.ts";
import { createMemoryMailer } from "../testing/memory-mailer.ts";
import { configure } from "./configure.ts";
import type { PosthornOptions } from "./options.ts";

const needed: PosthornOptions = {
  storage: { transaction() {}, within() {} } as unknown as Storage,
  mailer: createMemoryMailer(),
  secretKey: "a secret key that only tests ever use, 0123456789",
};

describe("configuring", () => {
  test("fills in every default", () => {
    expect(configure(needed)).toEqual({
      baseUrl: "http://127.0.0.1:8080",
      appUrl: "http://127.0.0.1:8080/app",
      defaultSender: undefined,
      systemSender: { name: "Posthorn", address: "no-reply@posthorn.localhost" },
      passwordMinLength: 12,
      maxMessageMb: 25,
      eventRetentionDays: 400,
      registration: "invited",
      bounceRules: [],
      inboundHost: undefined,
      returnPathDomain: undefined,
      spfInclude: undefined,
      webhooks: { maxRetries: 3, timeoutSecs: 10, retryBaseSecs: 5, allowPrivate: false },
      worker: { concurrency: 80, leaseMs: 30_000, pollMs: 5_000 },
    });
  });

  test.each([
    [{ defaultSendr: "a@b.example" }, "there is no option defaultSendr; the options are storage, mailer, "],
    [
      { webhooks: { retries: 1 } },
      "there is no option webhooks.retries; the options are webhooks.maxRetries, ",
    ],
    [{ worker: { slots: 1 } }, "there is no option worker.slots; the options are worker.concurrency, "],
  ])("refuses the unknown option in %o by name", (option, message) => {
    const options: PosthornOptions = { ...needed, ...(option as object) };
    expect(() => configure(options)).toThrow(new RegExp(`^${message}`));
    expect(() => configure(options)).toThrow(TypeError);
  });

  test("a lease has whole ms, as its end is stored", () => {
    const { worker } = configure({ ...needed, worker: { leaseMs: 30_000.5 } });
    expect(worker.leaseMs).toBe(30_001);
  });

  test("the service's own e-mails are from the base URL's host, or the default sender", () => {
    const baseUrl = "https://mail.example.com/service/";
    expect(configure({ ...needed, baseUrl })).toMatchObject({
      baseUrl: "https://mail.example.com/service",
      appUrl: "https://mail.example.com/service/app",
      systemSender: { address: "no-reply@mail.example.com" },
    });
    expect(configure({ ...needed, baseUrl, defaultSender: "Me <me@example.org>" }).systemSender).toEqual({
      name: "Me",
      address: "me@example.org",
    });
  });

  test("names of hosts are kept as DNS has them", () => {
    const hosts = { trackingHost: "Links.Bücher.example", inboundHost: "in.bücher.example" };
    expect(configure({ ...needed, ...hosts, spfInclude: "_spf.Bücher.example" })).toMatchObject({
      trackingHost: "links.xn--bcher-kva.example",
      inboundHost: "in.xn--bcher-kva.example",
      spfInclude: "_spf.xn--bcher-kva.example",
    });
    expect(configure({ ...needed, inboundHost: "In.0x1" }).inboundHost).toBe("in.0x1");
  });

  test("the domain of return paths leaves room for the token in an address of 254 characters", () => {
    const part = "x".repeat(55);
    const long = (length: number) =>
      `${part}.${part}.${part}.${"y".repeat(length - 3 * 56 - ".example".length)}.example`;
    expect(configure({ ...needed, returnPathDomain: long(225) }).returnPathDomain).toBe(long(225));
    expect(() => configure({ ...needed, returnPathDomain: long(226) })).toThrow(
      /^returnPathDomain must have at most 225 characters, .* it has 226$/,
    );
  });

  test("as many e-mails are under way as the mailer takes, within the service's limit", () => {
    const mailer = createMemoryMailer({ concurrency: 500 });
    expect(configure({ ...needed, mailer }).worker.concurrency).toBe(500);
    expect(configure({ ...needed, mailer: { ...mailer, backlog: Infinity } }).worker.concurrency).toBe(1000);
  });

  test.each([
    ["storage", { storage: undefined }],
    ["storage is a promise: await", { storage: Promise.resolve(needed.storage) as unknown as Storage }],
    ["storage must be a storage", { storage: { transaction() {}, prepare() {} } as unknown as Storage }],
    [
      "storage is of Posthorn 0.0.9, but @posthorn/core of",
      { storage: { ...needed.storage, version: "0.0.9" } },
    ],
    ["formerSecretKeys must be an array", { formerSecretKeys: needed.secretKey as unknown as string[] }],
    ["formerSecretKeys must be an array of texts", { formerSecretKeys: [undefined as unknown as string] }],
    ["webhooks must be an object", { webhooks: null as unknown as undefined }],
    ["mailer", { mailer: undefined }],
    ["mailer.concurrency", { mailer: { ...createMemoryMailer(), concurrency: undefined } }],
    ["mailer.concurrency", { mailer: { ...createMemoryMailer(), concurrency: 2.5 } }],
    ["mailer.backlog", { mailer: { ...createMemoryMailer(), backlog: -1 } }],
    ["mailer.timeoutMs", { mailer: { ...createMemoryMailer(), timeoutMs: 0 } }],
    ["mailer.timeoutMs", { mailer: { ...createMemoryMailer(), timeoutMs: 2 ** 31 } }],
    ["secretKey", { secretKey: undefined }],
    ["secretKey", { secretKey: "short" }],
    ["clock", { clock: {} as PosthornOptions["clock"] & object }],
    ["clock.now", { clock: { now: () => new Date(0) as unknown as number } }],
    ["clock.now must return whole ms", { clock: { now: () => performance.timeOrigin + 0.5 } }],
    ["logger", { logger: console.log as unknown as Logger }],
    ["dns", { dns: {} as PosthornOptions["dns"] & object }],
    ["random", { random: Math.random() as unknown as () => number }],
    ["random must return a number", { random: () => Number.NaN }],
    ["random must return a number", { random: () => 40 }],
    ["createKeyPair", { createKeyPair: {} as PosthornOptions["createKeyPair"] & object }],
    ["httpSender", { httpSender: { post: 5 } as unknown as HttpSender }],
    ["returnPathDomain", { returnPathDomain: "bounces" }],
    ["returnPathDomain must have no underscore", { returnPathDomain: "_bounces.example.com" }],
    ["returnPathDomain", { returnPathDomain: 5 }],
    ["baseUrl", { baseUrl: "mail.example.com" }],
    ["baseUrl", { baseUrl: "ftp://mail.example.com" }],
    ["baseUrl", { baseUrl: "https://mail.example.com/?a=1" }],
    ["baseUrl", { baseUrl: "https://:secret@mail.example.com" }],
    ["appUrl", { appUrl: "/app" }],
    ["defaultSender", { defaultSender: "nobody" }],
    ["defaultSender", { defaultSender: 7 }],
    ["registration", { registration: "everybody" as "open" }],
    ["passwordMinLength", { passwordMinLength: 7 }],
    ["passwordMinLength", { passwordMinLength: 12.5 }],
    ["webhooks.maxRetries", { webhooks: { maxRetries: 11 } }],
    ["webhooks.maxRetries", { webhooks: { maxRetries: 1.5 } }],
    ["webhooks.timeoutSecs", { webhooks: { timeoutSecs: 0 } }],
    ["webhooks.retryBaseSecs", { webhooks: { retryBaseSecs: Number.NaN } }],
    ["webhooks.allowPrivate", { webhooks: { allowPrivate: "false" } }],
    ["worker.concurrency", { worker: { concurrency: 0 } }],
    ["worker.concurrency", { worker: { concurrency: "5" } }],
    ["worker.concurrency .* it is 5n", { worker: { concurrency: 5n } }],
    ["worker.leaseMs", { worker: { leaseMs: 1 } }],
    ["worker.pollMs", { worker: { pollMs: Number.POSITIVE_INFINITY } }],
  ])("a bad %s is named", (name, options) => {
    const configuring = () => configure({ ...needed, ...options } as PosthornOptions);
    expect(configuring).toThrow(TypeError);
    expect(configuring).toThrow(new RegExp(`^${name.replace(".", "\\.")}\\b`));
  });
});

test("of a base URL with a login, that is told, and no password", () => {
  const baseUrl = "https://ada:secret@mail.example.com";
  expect(() => configure({ ...needed, baseUrl })).toThrow(/^baseUrl must be .* it has a login$/);
});

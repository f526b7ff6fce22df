import { expect, test } from "vitest";
import { serveOwner, server } from "../../test/dispatching.ts";
import { toNodeHandler } from "./node.ts";
import { createPosthornServer } from "./server.ts";
import { toWebHandler } from "./web.ts";

serveOwner();
const clientAddress = () => undefined;

test.each<[object, RegExp]>([
  [{ basePath: "/mail" }, /^there is no option basePath; the options are .*prefix/],
  [{ eventStream: { max: 1 } }, /^there is no option eventStream\.max; .* eventStream\.maxTotal$/],
])("each function that serves refuses the unknown option of %j by name", (options, message) => {
  const { posthorn } = server.world;
  expect(() => toNodeHandler(posthorn, options)).toThrow(message);
  expect(() => createPosthornServer(posthorn, options)).toThrow(message);
  expect(() => toWebHandler(posthorn, { clientAddress, ...options })).toThrow(message);
});

test("refuses an option of another function by name", () => {
  const { posthorn } = server.world;
  expect(() => toNodeHandler(posthorn, { limits: { bodyBytes: 1 } } as object)).toThrow(
    /^there is no option limits\.bodyBytes; the options are limits\.writeTimeoutMs, /,
  );
  expect(() => toNodeHandler(posthorn, { maxConnections: 5 } as object)).toThrow(
    /^there is no option maxConnections; /,
  );
  expect(() => toWebHandler(posthorn, { clientAddress, trustProxy: true } as object as never)).toThrow(
    /^there is no option trustProxy; /,
  );
});

test.each<[unknown, RegExp]>([
  [null, /^\w+ takes an object with the options .*prefix.*, not null$/],
  [{ prefix: "/mail/*" }, /^prefix must be a path such as \/mail, not such a text$/],
  [{ prefix: "mail" }, /^prefix must be a path such as \/mail, not such a text$/],
  [{ corsOrigins: "https://shop.example" }, /^corsOrigins must be an array of origins, not such a text$/],
  [{ corsOrigins: ["*"] }, /^corsOrigins must be an array of origins such as https:.*; it holds "\*"$/],
  [{ routes: {} }, /^routes must be an array of routes, not such an object$/],
  [{ routes: [undefined] }, /^routes must be an array of routes, not an array$/],
  [{ routes: ["GET /emails"] }, /^routes must be an array of routes, not an array$/],
  [
    { authenticateTimeoutMs: Number.POSITIVE_INFINITY },
    /^authenticateTimeoutMs must be a number of milliseconds /,
  ],
  [{ authenticateTimeoutMs: "10s" }, /^authenticateTimeoutMs must be a number of milliseconds /],
  // No header carries it.
  [
    { metricsToken: "pass:word with a blank" },
    /^metricsToken must be a text of letters, .*, not such a text$/,
  ],
  [{ eventStream: 5 }, /^eventStream takes an object with the options .*maxTotal, not 5$/],
  // The number of a variable that is not set would be no limit at all.
  [
    { eventStream: { maxPerUser: Number.NaN } },
    /^eventStream\.maxPerUser must be a whole number from 0 on, or Infinity, not NaN$/,
  ],
  [{ eventStream: { maxTotal: "200" } }, /^eventStream\.maxTotal must be a whole number from 0 on, /],
  [{ eventStream: { maxTotal: 0.5 } }, /^eventStream\.maxTotal must be a whole number from 0 on, /],
  [{ eventStream: { everyHeartbeat: 15_000 } }, /^eventStream\.everyHeartbeat must be a function, /],
])("each function that serves refuses %j by name", (options, message) => {
  const { posthorn } = server.world;
  const given = options as object;
  expect(() => toNodeHandler(posthorn, given)).toThrow(message);
  expect(() => createPosthornServer(posthorn, given)).toThrow(message);
  const all = options === null ? given : { clientAddress, ...given };
  expect(() => toWebHandler(posthorn, all as { clientAddress(): undefined })).toThrow(message);
});

test("each function that serves says what it takes instead of no service, a promise of one, or one of another version", () => {
  for (const serve of [toNodeHandler, createPosthornServer, toWebHandler]) {
    const call = serve as (posthorn?: unknown) => unknown;
    expect(() => call()).toThrow(`${serve.name} takes a service that createPosthorn made`);
    expect(() => call(Promise.resolve())).toThrow("made: await the promise first");
    const { posthorn } = server.world;
    const former = { ...posthorn, storage: { ...posthorn.storage, version: "0.0.9" } };
    expect(() => call(former)).toThrow("the service is of Posthorn 0.0.9, but @posthorn/http of ");
  }
  expect(() => toWebHandler(server.world.posthorn, {} as never)).toThrow("toWebHandler needs clientAddress");
  expect(() => toNodeHandler(server.world.posthorn, { trustProxy: "10.0.0.0/8" } as object)).toThrow(
    "trustProxy must be true, or an array of addresses and CIDR ranges, not such a text",
  );
  expect(() => toNodeHandler(server.world.posthorn, { trustProxy: ["nginx"] })).toThrow(
    'trustProxy must hold addresses and CIDR ranges such as 10.0.0.0/8; it holds "nginx"',
  );
});

test.each([Number.NaN, 0, "800", null])(
  "a server refuses %s as a limit, which would refuse all or nothing",
  (limit) => {
    const { posthorn } = server.world;
    const words = "must be a whole number from 1 on, or Infinity";
    expect(() => createPosthornServer(posthorn, { maxConnections: limit } as object)).toThrow(
      `maxConnections ${words}`,
    );
    for (const name of ["maxUnreadBytes", "maxBodyBytes"])
      expect(() => toNodeHandler(posthorn, { limits: { [name]: limit } } as object)).toThrow(
        `limits.${name} ${words}`,
      );
  },
);

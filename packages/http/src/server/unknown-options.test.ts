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

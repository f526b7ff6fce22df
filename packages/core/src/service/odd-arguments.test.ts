import { expect, test } from "vitest";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { ServiceError } from "../errors.ts";
import { useCases } from "../use-cases.ts";
import { createPosthorn } from "./service.ts";

openWorldForEach();

/** As a caller without types sees it. */
type Untyped = (...given: unknown[]) => unknown;

const odd = [undefined, null, 5, "text", true, [1], {}, () => {}, new Date(Number.NaN)];

/** A refusal, or a text of ours that names what is wrong. */
const isOurs = (error: unknown): boolean =>
  error instanceof ServiceError ||
  (error instanceof TypeError &&
    /^(transaction must be|[\w.]+ (has no call option|needs|takes))/.test(error.message));

test("every verb refuses input and options of a wrong type by name", async () => {
  const faults: string[] = [];
  const attempt = async (name: string, verb: Untyped, ...given: unknown[]) => {
    try {
      await verb(...given);
    } catch (error) {
      if (!isOurs(error)) faults.push(`${name}: ${error}`);
    }
  };
  for (const [noun, verbs] of Object.entries(useCases))
    for (const verb of Object.keys(verbs)) {
      const aggregate = Reflect.get(world.posthorn, noun) as Record<string, Untyped>;
      const call: Untyped = (...given) => aggregate[verb]?.(...given);
      for (const value of odd) {
        await attempt(`${noun}.${verb}`, call, value, { workspaceId: workspace.id });
        await attempt(`${noun}.${verb} options`, call, {}, value);
        for (const option of ["workspaceId", "as", "client", "transaction"])
          await attempt(
            `${noun}.${verb} ${option}`,
            call,
            {},
            { workspaceId: workspace.id, [option]: value },
          );
      }
    }
  expect([...new Set(faults)]).toEqual([]);
});

/** What `cron.schedule("* * * * *", posthorn.drain)` runs into, as the scheduler passes its job, a date or an event. */
const scheduled = "A scheduler that passes more takes () => posthorn.drain()";

test.each([
  ["findUser", [], "findUser takes a user's number, or { externalId } with a text"],
  ["findUser", [Number.NaN], "findUser takes a user's number, or { externalId } with a text"],
  ["followEvents", [], "followEvents takes an object with signal, an AbortSignal that ends it"],
  ["on", ["email.snet", () => {}], 'there is no event email.snet; "*" stands for all'],
  ["on", ["*"], "on takes a type of event and a function"],
  ["execute", [], "execute takes a use case, made by the function useCase"],
  [
    "execute",
    [useCases.templates.list, {}],
    "execute takes the call as its third argument: { caller, client, workspaceId }",
  ],
  [
    "execute",
    [useCases.templates.list, {}, { caller: { id: 7 }, client: {}, workspaceId: 1 }],
    'execute takes as "caller" what findUser or authenticateApiKey answers, or { kind: "operator", name } for the host itself',
  ],
  [
    "execute",
    [useCases.templates.list, {}, { caller: { kind: "anonymous" }, client: {}, workspaceId: "1" }],
    'execute takes as "workspaceId" a workspace\'s number, or "all", not a string',
  ],
  [
    "drain",
    [{ signal: new AbortController() }],
    `signal must be an AbortSignal, such as an AbortController's signal, not such an object. ${scheduled}`,
  ],
  [
    "drain",
    [AbortSignal.abort()],
    `there is no option aborted; the options are signal, onHandled. ${scheduled}`,
  ],
  [
    "drain",
    [{ abortSignal: undefined }],
    `there is no option abortSignal; the options are signal, onHandled. ${scheduled}`,
  ],
  [
    "drain",
    ["manual"],
    `drain takes an object with the options signal, onHandled, not such a text. ${scheduled}`,
  ],
] as const)("%s%j: %s", async (name, given, message) => {
  const attempt = async () => {
    const answer: unknown = await (world.posthorn[name] as Untyped)(...given);
    await (answer as Partial<AsyncGenerator> | undefined)?.next?.();
  };
  await expect(attempt()).rejects.toThrow(new TypeError(message));
});

test("createPosthorn refuses options of a part that are no object by name", () => {
  const { storage, mailer } = world;
  const given = {
    storage,
    mailer,
    secretKey: "a secret key that only tests ever use, 0123456789",
    worker: 5,
  };
  expect(() => (createPosthorn as Untyped)(given)).toThrow(
    new TypeError("worker must be an object with worker.concurrency, worker.leaseMs, worker.pollMs"),
  );
});

test("createPosthorn without options says what it takes", () => {
  expect(() => (createPosthorn as Untyped)()).toThrow(
    new TypeError("createPosthorn takes an object with storage, mailer and secretKey"),
  );
});

import { setImmediate } from "node:timers";
import { describe, expect, test } from "vitest";
import { host, openWorldForEach, world } from "../../../../test/world-for-each.ts";
import { acceptAll } from "../../../testing/memory-mailer.ts";
import { createRenderingTurns } from "./rendering-turns.ts";

test("bodies are rendered until a turn was long enough, and the others in the next turns, in order", async () => {
  const turns: (() => void)[] = [];
  let now = 0;
  const { run } = createRenderingTurns({
    now: () => now,
    inNextTurn: (next) => turns.push(next),
    leave: (_ms, next) => next(),
  });
  const done: string[] = [];
  const render = (name: string, ms: number): string => {
    now += ms;
    done.push(name);
    return name;
  };
  expect([run(1, () => render("a", 1)), run(1, () => render("b", 1))]).toEqual(["a", "b"]);
  const others = ["c", "d", "e", "f"].map((name) => run(1, () => render(name, 4)));
  expect([done.join(""), turns.length]).toEqual(["abc", 1]);
  turns.shift()?.();
  expect([done.join(""), turns.length]).toEqual(["abcde", 1]);
  turns.shift()?.();
  expect([done.join(""), turns.length]).toEqual(["abcdef", 1]);
  expect(await Promise.all(others)).toEqual(["c", "d", "e", "f"]);
  turns.shift()?.();
  expect(turns).toEqual([]);
});

test("of bodies that wait, each workspace's are rendered in turn", async () => {
  const turns: (() => void)[] = [];
  let now = 0;
  const { run } = createRenderingTurns({ now: () => now, inNextTurn: (next) => turns.push(next) });
  const done: string[] = [];
  const add = (workspaceId: number | undefined, name: string) =>
    run(workspaceId, () => {
      now += 5;
      done.push(name);
    });
  const all = ["a1", "a2", "a3", "a4"].map((name) => add(1, name));
  all.push(add(2, "b1"), add(2, "b2"), add(undefined, "own"));
  while (turns.length > 0) turns.shift()?.();
  expect(done).toEqual(["a1", "a2", "b1", "own", "a3", "b2", "a4"]);
  await Promise.all(all);
});

test("a body that takes longer than a turn leaves further turns to others before the next", async () => {
  const turns: (() => void)[] = [];
  const left: number[] = [];
  let leave = (): void => {};
  let now = 0;
  const { run } = createRenderingTurns({
    now: () => now,
    inNextTurn: (next) => turns.push(next),
    leave(ms, next) {
      left.push(ms);
      leave = next;
    },
  });
  const take = (ms: number) => (): void => {
    now += ms;
  };
  const [, second, third] = [run(1, take(30)), run(1, take(5)), run(1, take(1))];
  turns.shift()?.();
  expect([now, left]).toEqual([30, [25]]);
  leave();
  await second;
  expect(now).toBe(35);
  turns.shift()?.();
  await third;
  expect([now, left]).toEqual([36, [25]]);
});

test("a body that can't be rendered in a later turn fails alone", async () => {
  const turns: (() => void)[] = [];
  let now = 0;
  const { run } = createRenderingTurns({ now: () => now, inNextTurn: (next) => turns.push(next) });
  run(1, () => {
    now += 5;
  });
  const [failed, sound] = [
    run(1, () => {
      throw new TypeError("too deep");
    }),
    run(1, () => "sound"),
  ];
  turns.shift()?.();
  await expect(failed).rejects.toThrow("too deep");
  expect(await sound).toBe("sound");
});

describe("e-mails that are claimed together", () => {
  openWorldForEach();

  // With more of them, the bodies would take turns for their size.
  const links = Array.from({ length: 200 }, (_, at) => `<a href="https://a.example/${at}">x</a>`).join("");

  /** Sends to 24 recipients, and returns how many turns of the event loop their e-mails came in. */
  async function turnsOf(content: { html: string } | { template: string }): Promise<number> {
    const recipients = Array.from({ length: 24 }, (_, at) => ({ to: `p${at}@example.com` }));
    await world.posthorn.emails.sendBatch(
      { subject: "s", ...content, tracking: { clicks: true }, recipients },
      host(),
    );
    let turn = 0;
    let goesOn = true;
    const count = (): void => {
      turn += 1;
      if (goesOn) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    world.mailer.answerWith((message) => {
      turns.push(turn);
      return acceptAll(message);
    });
    await world.posthorn.drain();
    goesOn = false;
    expect(turns).toHaveLength(24);
    return new Set(turns).size;
  }

  test("are not rendered in one turn if each has hundreds of tracked links", async () => {
    expect(await turnsOf({ html: links })).toBeGreaterThan(1);
  });

  test("nor if these are a template's", async () => {
    await world.posthorn.templates.create({ name: "links", html: links }, host());
    expect(await turnsOf({ template: "links" })).toBeGreaterThan(1);
  });
});

import { afterEach, expect, test, vi } from "vitest";
import { withBlankLines } from "./with-blank-lines.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("every 15 s without a line, a blank one is sent; a piece without lines stays empty before", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  async function* search(): AsyncGenerator<Uint8Array> {
    for (const [seconds, text] of [
      [14, ""],
      [15, ""],
      [16, ""],
      [20, "{}\n"],
      [34, ""],
      [35, ""],
      [36, "{}\n"],
      [90, "{}\n"],
    ] as const) {
      now = seconds * 1_000;
      yield Buffer.from(text);
    }
  }
  const sent: string[] = [];
  for await (const piece of withBlankLines(search())) sent.push(Buffer.from(piece).toString());
  expect(sent).toEqual(["", "\n", "", "{}\n", "", "\n", "{}\n", "{}\n"]);
});

test("a reader that leaves ends the search", async () => {
  let isEnded = false;
  async function* search(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(0);
    } finally {
      isEnded = true;
    }
  }
  for await (const _ of withBlankLines(search())) break;
  expect(isEnded).toBe(true);
});

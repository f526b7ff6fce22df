import { expect, onTestFinished, test, vi } from "vitest";
import { createNews } from "./create-news.ts";

test("news after a rest wait for no time below 0, of which Node would warn whoever runs the command", () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const news = createNews({ dataVersion: () => 1, place: "create-news.test" });
  onTestFinished(() => {
    news.close();
    timers.mockRestore();
  });
  news.notify(["emails"]);
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([0]);
});

import { expect, onTestFinished, test, vi } from "vitest";
import { CliError } from "../program/errors/cli-error.ts";
import { reportFailure } from "./output.ts";

test("a server's words in an error don't steer the terminal", () => {
  const { isTTY } = process.stderr;
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  onTestFinished(() => {
    spy.mockRestore();
    process.stderr.isTTY = isTTY;
  });
  process.stderr.isTTY = true;
  const failure = new CliError("failed", "It says:\nno\u001b]52;c;cHduZWQ=\u0007 \u009b2J");
  for (const json of [false, true]) reportFailure(failure, { json, debug: false });
  expect(written[0]).toContain("It says:\nno�]52;c;cHduZWQ=� �2J\n");
  expect(written[1]).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(JSON.parse(written[1] ?? "").error.message).toBe(failure.message);
});

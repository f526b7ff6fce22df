import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { readData, readMetadata, readTextFile, streamStdin } from "./read-input.ts";

test.each([
  ["before", false],
  ["just behind", true],
])("Ctrl-C %s the end of standard input is an error, and no listener remains", async (_, hasEnded) => {
  const before = process.listenerCount("SIGINT");
  // Another listener, as a command has, so that the signal does not end this process.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  const stdin = new PassThrough();
  stdin.write("half of");
  const read: string[] = [];
  const reading = (async () => {
    for await (const chunk of streamStdin(stdin)) {
      read.push(String(chunk));
      const interrupt = (): void => void process.emit("SIGINT");
      if (hasEnded) stdin.once("end", () => setImmediate(() => setImmediate(interrupt)));
      else interrupt();
      stdin.end();
    }
  })();
  await expect(reading).rejects.toMatchObject({ failure: "interrupted" });
  expect(read).toEqual(["half of"]);
  process.removeListener("SIGINT", ignore);
  expect(process.listenerCount("SIGINT")).toBe(before);
});

test("standard input is read once: for a second option it would be empty", async () => {
  const stdin = new PassThrough();
  stdin.end("<p>Hi</p>");
  const read = async () => {
    let text = "";
    for await (const piece of streamStdin(stdin)) text += piece;
    return text;
  };
  expect(await read()).toBe("<p>Hi</p>");
  await expect(read()).rejects.toMatchObject({
    failure: "usage",
    message: "Standard input was read already.",
  });
});

test("values are read from a file that begins with a byte order mark", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-input-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "data.json"), '\ufeff{"name": "Ada"}');
  expect(await readData(`@${join(folder, "data.json")}`)).toEqual({ name: "Ada" });
});

test("metadata given in several ways is one object, and loses no key that is refused later", async () => {
  const read = await readMetadata(["order=1007", '{"order": 1008, "a": 1}', "__proto__=x"]);
  expect(Object.entries(read)).toEqual([
    ["order", 1008],
    ["a", 1],
    ["__proto__", "x"],
  ]);
});

test("a text that is not UTF-8 is refused, whose bytes would be replaced, and a byte order mark is left out", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-input-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "mail.html");
  writeFileSync(path, Buffer.from("Grüße", "latin1"));
  await expect(readTextFile(path)).rejects.toMatchObject({
    failure: "usage",
    message: `${path} is not UTF-8 text.`,
  });
  writeFileSync(path, "\ufeffGrüße");
  expect(await readTextFile(path)).toBe("Grüße");
});

import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createReplyWriter } from "./write-reply.ts";

const body = Buffer.alloc(5 * 64 * 1024);

/** A response whose socket takes all of it at once, as a system with large buffers does. */
function makeResponse(): ServerResponse {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const taken = new PassThrough({ highWaterMark: 2 * body.length });
  response.assignSocket(Object.assign(taken, { bytesWritten: 0 }) as unknown as Socket);
  // As Node's server does.
  return response.on("finish", () => response.emit("close"));
}

test("a long response that waits for its turn to be written holds no memory that it is cut off for", async () => {
  const writeReply = createReplyWriter({ writeTimeoutMs: 30_000, maxUnreadBytes: 16 * 64 * 1024 });
  const responses = Array.from({ length: 64 }, makeResponse);
  for (const response of responses) writeReply(response, { status: 200, headers: {}, body });
  await expect.poll(() => responses.every((each) => each.writableEnded || each.destroyed)).toBe(true);
  expect(responses.filter((each) => each.destroyed).length).toBe(0);
});

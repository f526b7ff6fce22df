import type { World } from "@posthorn/core/testing";
import { createPosthornServer } from "@posthorn/http";
import { onTestFinished } from "vitest";

/** Serves the world's API on a free port until the test ends; returns its URL. */
export async function serveWorld({ posthorn }: Pick<World, "posthorn">): Promise<string> {
  const server = createPosthornServer(posthorn);
  onTestFinished(() => server.stop({ timeoutMs: 0 }));
  return (await server.listen(0)).url;
}

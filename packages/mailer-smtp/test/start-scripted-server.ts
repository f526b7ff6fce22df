import { onTestFinished } from "vitest";
import { runScriptedServer, type Script } from "./scripted-server.ts";

/** Starts a scripted server that is closed after the test. */
export async function startScriptedServer(script?: Script, wantedPort?: number) {
  const server = await runScriptedServer(script, wantedPort);
  onTestFinished(server.close);
  return server;
}

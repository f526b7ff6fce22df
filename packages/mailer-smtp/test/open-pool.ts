import { createHostResolver, type HostResolver } from "@posthorn/core/network";
import { onTestFinished } from "vitest";
import { createConnectionPool, type PoolOptions } from "../src/smtp/pool/create-connection-pool.ts";
import type { PoolClock } from "../src/smtp/pool/pool-clock.ts";
import type { Script } from "./scripted-server.ts";
import { startScriptedServer } from "./start-scripted-server.ts";

/**
 * Creates a clock for holds and paces that passes so many ms with each turn of the event loop while somebody waits:
 * none while the machine stands still, in which the server could not answer either.
 */
export const createTurnClock = (msPerTurn: number): PoolClock => {
  let now = 0;
  const waiting = new Set<{ at: number; act: () => void }>();
  let isTurning = false;
  const turn = (): void => {
    now += msPerTurn;
    for (const one of waiting) {
      if (one.at > now) continue;
      waiting.delete(one);
      one.act();
    }
    isTurning = waiting.size > 0;
    if (isTurning) setImmediate(turn);
  };
  return {
    now: () => now,
    after(ms, act) {
      const one = { at: now + ms, act };
      waiting.add(one);
      if (!isTurning) setImmediate(turn);
      isTurning = true;
      return () => waiting.delete(one);
    },
  };
};
export const fast = createTurnClock(10);

/** None elapses, though the machine stands still for a while. */
const timeouts = {
  connect: 90_000,
  greeting: 90_000,
  command: 90_000,
  dot: 90_000,
  conversation: 600_000,
};

export const login = { username: "ann", password: "sesame" };

/** Opens a pool to a server that follows a script. */
export async function openPool(
  script: Script,
  options: Partial<Omit<PoolOptions, "server">> & {
    login?: typeof login;
    security?: "starttls" | "opportunistic";
    /** By which the server's name is found; without one it has only its address. */
    resolver?: HostResolver;
  } = {},
) {
  const server = await startScriptedServer(script);
  const pool = createConnectionPool({
    server: {
      host: options.resolver === undefined ? "127.0.0.1" : "mail.test",
      port: server.port,
      security: options.security ?? "none",
      clientName: "test.example",
      checksCertificate: false,
      publicOnly: false,
      resolver: options.resolver ?? createHostResolver(),
      ...options.login,
    },
    timeouts,
    connections: 10,
    messagesPerConnection: 100,
    idleTime: 90_000,
    isShared: true,
    clock: fast,
    ...options,
  });
  onTestFinished(pool.close);
  return { server, pool };
}

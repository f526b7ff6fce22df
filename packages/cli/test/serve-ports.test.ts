import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { holdFreePort } from "../src/service/server/hold-free-port.ts";
import { makeFolder, type RunningCommand, startCommand } from "./run-command.ts";

function serve(args: string[], env: Record<string, string>): RunningCommand {
  const server = startCommand(["serve", "--port", "0", ...args], {
    cwd: makeFolder(),
    env: { SERVICE_SMTP_URL: "capture:", ...env },
  });
  onTestFinished(() => void server.child.kill("SIGKILL"));
  return server;
}

test("prints the addresses of its other ports", async () => {
  const inbound = { SERVICE_INBOUND_PORT: "0", SERVICE_RETURN_PATH_DOMAIN: "bounces.shop.example" };
  const server = serve([], inbound);
  const [, host = "", port = ""] = await server.waitForStderr(/Inbound: smtp:\/\/([\d.]+):(\d+) /);
  const greeting = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), host, () => {});
    socket.once("data", (bytes) => resolve(String(bytes))).once("error", reject);
    onTestFinished(() => void socket.destroy());
  });
  expect(greeting).toMatch(/^220 /);
});

test("each port may have an address of its own, as the API stays behind a proxy where mail comes from outside", async () => {
  const metricsHost = "127.0.0.3";
  const { port: metricsPort, release } = await holdFreePort(metricsHost);
  await release();
  const server = serve(["--metrics-port", String(metricsPort), "--metrics-host", metricsHost], {
    SERVICE_INBOUND_PORT: "0",
    SERVICE_INBOUND_HOST: "in.shop.example",
    SERVICE_INBOUND_LISTEN_HOST: "127.0.0.2",
  });
  const [, url = ""] = await server.waitForStderr(/Listening on (\S+)/);
  const [, port = ""] = await server.waitForStderr(/Inbound: smtp:\/\/127\.0\.0\.2:(\d+) /);
  const [, metrics = ""] = await server.waitForStderr(/Metrics: (http:\/\/127\.0\.0\.3:\S+)/);
  expect(new URL(url).hostname).toBe("127.0.0.1");
  expect((await fetch(metrics)).status).toBe(200);
  const isReached = (host: string, port: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), host, () => resolve(true)).once("error", () => resolve(false));
      onTestFinished(() => void socket.destroy());
    });
  expect(await isReached("127.0.0.2", port)).toBe(true);
  expect(await isReached("127.0.0.1", port)).toBe(false);
  expect(await isReached("127.0.0.2", new URL(url).port)).toBe(false);
});

/** Runs the health check of a container with these settings. */
function isHealthy(env: Record<string, string>): Promise<boolean> {
  const file = readFileSync(join(import.meta.dirname, "../../../deploy/Containerfile"), "utf8");
  const [, command = ""] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(file) ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { env }, (error) => resolve(error === null)),
  );
}

test("a container's health check asks the port that its settings name, of a worker that of the metrics", async () => {
  const server = serve([], {});
  const [, url = ""] = await server.waitForStderr(/Listening on (\S+)/);
  const { port, release } = await holdFreePort("127.0.0.1");
  await release();
  const [used, free] = [new URL(url).port, String(port)];
  expect(await isHealthy({ SERVICE_PORT: used })).toBe(true);
  expect(await isHealthy({ SERVICE_PORT: free })).toBe(false);
  expect(await isHealthy({ SERVICE_PORT: free, SERVICE_METRICS_PORT: used })).toBe(true);
  expect(await isHealthy({ SERVICE_PORT: free, SERVICE_METRICS_PORT: free })).toBe(false);
});

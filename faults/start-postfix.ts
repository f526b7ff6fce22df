import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeFolder } from "../packages/cli/test/run-command.ts";
import { findFreePort } from "../packages/storage-postgres/test/find-free-port.ts";

/** Services of a Postfix that accepts mail at one port and relays all of it over SMTP. */
const services = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
scache unix - - n - 1 scache
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;

/**
 * Starts a separate Postfix on loopback, which relays mail by domain to a port of loopback and bounces refused mail
 * there; it ends with the test.
 */
export async function startPostfix(ports: Readonly<Record<string, number>>): Promise<{ url: string }> {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const [config, queue, data] = ["config", "queue", "data"].map((name) => join(folder, name));
  if (config === undefined || queue === undefined || data === undefined) throw new Error("no folders");
  for (const path of [config, queue, data]) mkdirSync(path);
  const port = await findFreePort();
  const ways = Object.entries(ports).map(([domain, to]) => `{ ${domain} = smtp:[127.0.0.1]:${to} }`);
  const settings = {
    compatibility_level: "3.6",
    queue_directory: queue,
    data_directory: data,
    maillog_file: join(folder, "mail.log"),
    maillog_file_prefixes: folder,
    myhostname: "mx.relay.example",
    mydestination: "",
    mynetworks: "127.0.0.0/8",
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    alias_maps: "",
    alias_database: "",
    smtp_dns_support_level: "disabled",
    smtp_tls_security_level: "none",
    smtpd_relay_restrictions: "permit_mynetworks, reject",
    transport_maps: `inline:{ ${ways.join(", ")} }`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(config, "main.cf"), lines.join(""));
  writeFileSync(join(config, "master.cf"), services(port));
  // Its master process would keep a pipe open.
  const run = (verb: string) => spawnSync("postfix", ["-c", config, verb], { stdio: "ignore" });
  spawnSync("chown", ["postfix", data]);
  const started = run("start");
  if (started.status !== 0) throw new Error(`Postfix does not start: see ${folder}`);
  onTestFinished(() => void run("stop"));
  return { url: `smtp://127.0.0.1:${port}` };
}

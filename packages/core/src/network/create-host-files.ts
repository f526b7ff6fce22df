import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { ResolvedAddress } from "./resolved-address.ts";

/** Where the system keeps what it knows of names. */
export interface HostFilesOptions {
  /** Default: the system's hosts file. */
  hostsFile?: string;
  /** The file that names search domains. Default `/etc/resolv.conf`. */
  resolvConf?: string;
  /** Ms of a clock that runs on steadily. */
  now?: () => number;
}

interface HostFiles {
  /** Addresses by name, in lower case. */
  hosts: Map<string, ResolvedAddress[]>;
  /** Domains that a name may be short for. */
  search: string[];
}

/** Ms that the files are not read again: each reading takes a thread of the pool for a moment. */
const freshMs = 10_000;

const systemHostsFile =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/** The hosts file and the search domains of the system, read again when they are older than ten seconds. A file that can't be read is empty. */
export function createHostFiles({
  hostsFile = systemHostsFile,
  resolvConf = "/etc/resolv.conf",
  now = () => performance.now(),
}: HostFilesOptions = {}): { read(): Promise<HostFiles> } {
  let files: Promise<HostFiles> | undefined;
  let until = 0;
  const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
  const readBoth = async (): Promise<HostFiles> => {
    const [hosts, resolv] = await Promise.all([readText(hostsFile), readText(resolvConf)]);
    return { hosts: parseHosts(hosts), search: parseSearch(resolv) };
  };
  return {
    read() {
      if (files === undefined || now() >= until) {
        files = readBoth();
        until = now() + freshMs;
      }
      return files;
    },
  };
}

function parseHosts(text: string): Map<string, ResolvedAddress[]> {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const line of text.split(/\r?\n/)) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      const known = hosts.get(name) ?? [];
      if (!known.some((one) => one.address === address))
        hosts.set(name, [...known, { address, family: family === 4 ? 4 : 6 }]);
    }
  }
  return hosts;
}

/** The last `search` or `domain` line counts (resolv.conf(5)). */
function parseSearch(text: string): string[] {
  const lines = [...text.matchAll(/^(?:search|domain)[ \t]+(.+)$/gm)];
  const domains = lines.at(-1)?.[1]?.trim().split(/\s+/) ?? [];
  return domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== "");
}

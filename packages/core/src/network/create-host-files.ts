import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { ResolvedAddress } from "./resolved-address.ts";

/** Locations of the system's files about names. */
export interface HostFilesOptions {
  /** Path of the hosts file. Default: the system's. */
  hostsFile?: string;
  /** Path of the file with search domains. Default `/etc/resolv.conf`. */
  resolvConf?: string;
  /** Monotonic clock in ms. */
  now?: () => number;
}

interface HostFiles {
  /** Addresses by name, in lower case. */
  hosts: Map<string, ResolvedAddress[]>;
  /** Search domains that short names are completed with. */
  search: string[];
}

/** Ms for which the files are not read again, as each reading occupies a thread of the pool. */
const freshMs = 10_000;

const systemHostsFile =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * Creates a cached reader of the system's hosts file and search domains. They are read again after ten seconds. A file
 * that can't be read counts as empty.
 */
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

/** Returns the domains of the last `search` or `domain` line, which counts (resolv.conf(5)). */
function parseSearch(text: string): string[] {
  const lines = [...text.matchAll(/^(?:search|domain)[ \t]+(.+)$/gm)];
  const domains = lines.at(-1)?.[1]?.trim().split(/\s+/) ?? [];
  return domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== "");
}

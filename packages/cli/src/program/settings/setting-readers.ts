import { isIP } from "node:net";
import type { Registration } from "@posthorn/core";
import { postgresUrl } from "./postgres-url.ts";
import { urlFault } from "./url-fault.ts";

export const text = (value: string): string => value;

/** Reads a URL with one of the given protocols, such as `https:`. Throws an Error that describes the fault. */
export function url(...protocols: string[]) {
  return (value: string): string => {
    const isOne = protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`));
    if (!isOne) throw new Error(`must begin with ${protocols.map((p) => `${p}//`).join(" or ")}`);
    const read = URL.parse(value);
    if (read === null) throw new Error(urlFault(value));
    if (read.port === "0") throw new Error("has port 0, on which nobody can be reached");
    return value;
  };
}

/** Reads a number within limits. Throws an Error that describes the fault. */
export function number(least: number, most: number, { whole = true } = {}) {
  return (value: string): number => {
    const read = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(read >= least && read <= most) || (whole && !Number.isInteger(read))) {
      throw new Error(`must be a ${whole ? "whole " : ""}number from ${least} to ${most}`);
    }
    return read;
  };
}

/** Reads true or false. Throws an Error that describes the fault. */
export function flag(value: string): boolean {
  if (value === "true") return true;
  if (value === "false") return false;
  throw new Error("must be true or false");
}

/** Reads a database's URL. Throws an Error that describes the fault. */
export function database(value: string): string {
  // Read as a path it is a file of the root folder, and as a URL a host's.
  const named = /^sqlite:\/\/([^/].*)$/s.exec(value)?.[1];
  if (named !== undefined)
    throw new Error(
      `must be sqlite:${named} for a file in the current folder, or sqlite:/ with a whole path`,
    );
  if (value.startsWith("sqlite:") && value.length > "sqlite:".length) return value;
  if (!/^postgres(?:ql)?:\/\//i.test(value))
    throw new Error("must be sqlite:FILE, or begin with postgres:// or postgresql://");
  return postgresUrl(value);
}

/** Reads an address to listen on, or the name of one. Throws an Error that describes the fault. */
export function listenAddress(value: string): string {
  const isName = /^(?:[\w-]+\.)*[\w-]*[a-z][\w-]*\.?$/i.test(value) && value.length < 254;
  if (isIP(value) === 0 && !isName)
    throw new Error("must be an IP address, an IPv6 one without brackets, or a host name");
  return value;
}

/** Reads the trusted proxies. Throws an Error that describes the fault. */
export function proxies(value: string): boolean | readonly string[] {
  const ranges = value.split(/[\s,]+/).filter((one) => one !== "");
  const isRange = (one: string): boolean => {
    const [, address = "", bits = "0"] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(one) ?? [];
    const family = isIP(address);
    return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
  };
  if (ranges.length > 0 && ranges.every(isRange)) return ranges;
  try {
    return flag(value);
  } catch {
    throw new Error("must be true, false, or addresses and CIDR ranges separated by commas");
  }
}

/** Reads origins of web pages, such as `https://app.shop.example`. Throws an Error that describes the fault. */
export function webOrigins(value: string): readonly string[] {
  return value.split(/[\s,]+/).flatMap((one) => {
    if (one === "") return [];
    const isWeb = /^https?:\/\//i.test(one) && URL.canParse(one);
    // An `Origin` header has no path and no trailing slash.
    if (!isWeb || new URL(one).href !== `${new URL(one).origin}/`)
      throw new Error("must be origins such as https://app.shop.example, separated by commas");
    return [new URL(one).origin];
  });
}

/** Reads a token that is valid in a header. Throws an Error that describes the fault. */
export function bearerToken(value: string): string {
  if (/^[\w~+/.=-]{16,512}$/.test(value)) return value;
  throw new Error("must have 16 to 512 letters, digits or any of ~ + / . = _ -");
}

/** Reads names of files, separated by commas. Throws an Error that describes the fault. */
export function files(value: string): readonly string[] {
  const names = value.split(",").map((one) => one.trim());
  if (names.includes("")) throw new Error("must be a file, or several separated by commas");
  return names;
}

/** Reads private keys: selectors with their files. Throws an Error that describes the fault. */
export function keyFiles(value: string): readonly { selector: string; file: string }[] {
  const keys = value.split(",").map((one) => {
    const [, selector, file] = /^\s*([^=\s]+)=(\S.*?)\s*$/.exec(one) ?? [];
    if (selector === undefined || file === undefined)
      throw new Error("must be SELECTOR=FILE, or several separated by commas");
    return { selector, file };
  });
  // One selector has one record, so that the signature by another key would be taken for a forged one.
  const repeated = keys.find(({ selector }, at) => keys.findIndex((one) => one.selector === selector) < at);
  if (repeated !== undefined) throw new Error(`names the selector ${repeated.selector} more than once`);
  return keys;
}

/** Log levels. */
export const levels = ["debug", "info", "warn", "error", "silent"] as const;

/** Reads a log level. Throws an Error that describes the fault. */
export function level(value: string): (typeof levels)[number] {
  const found = levels.find((one) => one === value);
  if (found === undefined) throw new Error(`must be one of ${levels.join(", ")}`);
  return found;
}

/** Kinds of registration: who may open an account. */
export const registrations: readonly Registration[] = ["invited", "open", "closed"];

/** Reads the kind of registration. Throws an Error that describes the fault. */
export function registration(value: string): Registration {
  const found = registrations.find((one) => one === value);
  if (found === undefined) throw new Error(`must be one of ${registrations.join(", ")}`);
  return found;
}

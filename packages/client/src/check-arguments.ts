import { filesAsBody } from "./contract/index.ts";
import { streamRoute } from "./follow-events.ts";

/** An empty type is checked elsewhere. */
const requestOptions = {
  idempotencyKey: "string",
  onDeduplicated: "function",
  onReplayed: "function",
  signal: "",
};
const followOptions = { signal: "", onGap: "function" };

/** Throws a `TypeError` that names what is wrong, for callers without types. */
const check = (name: string, value: unknown, ...types: string[]): void => {
  const type = value === null || Number.isNaN(value) ? String(value) : typeof value;
  if (types.includes(type)) return;
  const article = types[0] === "object" ? "an" : "a";
  throw new TypeError(`${name} must be ${article} ${types.join(" or ")}, not ${type}`);
};

/** Refuses options of another type or name: an idempotency key under another name would protect from nothing. */
const checkAll = (given: unknown, types: Record<string, string>): void => {
  check("options", given, "object");
  const values = given as Record<string, unknown>;
  for (const name in types) {
    const value = values[name];
    if (value !== undefined && types[name]) check(`options.${name}`, value, types[name]);
  }
  for (const name in values)
    if (!Object.hasOwn(types, name))
      throw new TypeError(`there is no option ${name}; the options are ${Object.keys(types).join(", ")}`);
};

/**
 * Checks that `fetch` can ask paths below a URL: that of a server, without a user or a password, or a path on the page's
 * own server, in a page or where something else `resolvesPaths`.
 */
export const checkUrl = (url: string, resolvesPaths: unknown): void => {
  const isServer = /^(\/|$)/.test(url)
    ? (resolvesPaths ?? Object(globalThis).location)
    : /^https?:/i.test(url) && URL.canParse(url);
  if (!isServer || /[?#]|\/\/[^/]*@/.test(url))
    throw new TypeError(
      `url must be a server's, such as https://mail.example.com, not ${JSON.stringify(url.replace(/.*@/, "***@"))}`,
    );
};

/** Platforms run a timer of more at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Checks what a client is created with; `types` has the type of each option. */
export const checkClient = (url: unknown, options: unknown, types: Record<string, string>): void => {
  check("url", url, "string");
  checkUrl(url as string, true);
  checkAll(options, types);
  const { timeoutMs = 1 } = options as { timeoutMs?: number };
  if (timeoutMs < 1 || timeoutMs > longestTimerMs)
    throw new TypeError(`options.timeoutMs must be from 1 to ${longestTimerMs}, not ${timeoutMs}`);
};

/**
 * Checks a field that is sent within the URL, which can't have null, nor undefined for one key of an object: they would
 * be the text of this word. Nor half of a surrogate pair: in the path it is a `URIError` without a name, and in the query
 * it becomes another character.
 */
export const checkInUrl = (signature: string, name: string, value: unknown): void => {
  if (value === null || value === undefined)
    throw new TypeError(`fields.${name} of ${signature} must not be ${value}`);
  if (/\p{Cs}/u.test(name + String(value)))
    throw new TypeError(`fields.${name} of ${signature} must not contain half of a surrogate pair`);
};

/** Checks the arguments of a call, and that the fields have all parameters of the route's path, and its file. */
export const checkCall = (signature: string, fields: unknown, options: unknown): void => {
  check("a route's signature", signature, "string");
  if (!/^[A-Z]+ \//.test(signature))
    throw new TypeError(`a route's signature must be like "GET /emails", not ${JSON.stringify(signature)}`);
  check("fields", fields, "object");
  checkAll(options, signature === streamRoute ? followOptions : requestOptions);
  const { signal } = options as { signal?: unknown };
  if (signal !== undefined && typeof Object(signal).throwIfAborted !== "function")
    throw new TypeError("options.signal must be an AbortSignal");
  const named = (name: string) => `fields.${name} of ${signature}`;
  // JSON of the other fields would be stored as the file.
  if (filesAsBody.includes(signature))
    check(named("content"), (fields as { content?: unknown }).content, "object", "string");
  for (const [, name = ""] of signature.matchAll(/\{(\w+)\}/g)) {
    const value = (fields as Record<string, unknown>)[name];
    check(named(name), value, "string", "number");
    checkInUrl(signature, name, value);
    // `fetch` resolves "." and ".." (RFC 3986, section 5.2.4), and the path would be that of another route.
    if (/^\.{0,2}$/.test(String(value)))
      throw new TypeError(`${named(name)} must not be ${value === "" ? "empty" : `"${value}"`}`);
  }
};

/** `fetch` rejects other characters as it does an unreachable server, and the call would be tried again (RFC 9110, section 5.5). */
export const checkHeaders = (headers: Record<string, string>): void => {
  for (const [name, value] of Object.entries(headers)) {
    const [other] = /[^\t -~\x80-\xff]/u.exec(value.trim()) ?? [];
    if (other) throw new TypeError(`${name} can't have ${JSON.stringify(other)}`);
  }
};

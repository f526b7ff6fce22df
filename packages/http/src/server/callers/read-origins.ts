/**
 * Returns origins of pages as browsers write them, without a slash or the default port. Throws a `TypeError` for what is
 * none, which no request would ever match.
 */
export function readOrigins(origins: readonly string[] = []): readonly string[] {
  return origins.map((one: unknown) => {
    const url = typeof one === "string" ? URL.parse(one) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    // Pages of other schemes, such as a browser's extensions.
    if (url !== null && /^(?!https?:)[^:/]+:\/\/[^/?#@]+$/i.test(url.href)) return url.href;
    throw new TypeError(
      `corsOrigins must be an array of origins such as https://app.shop.example; it holds ${JSON.stringify(String(one))}`,
    );
  });
}

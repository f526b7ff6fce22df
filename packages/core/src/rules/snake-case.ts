/** Converts `maxApiKeys` to `max_api_keys`. */
export const snakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

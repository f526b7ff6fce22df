import { readFileSync } from "node:fs";

/** What a development server keeps in a file beside its database: login and key, and the URL that links lead to. */
export interface Kept {
  url?: string;
  password?: string;
  key?: string;
}

/** Reads the file; empty if it is missing, truncated or edited: the server writes it again. */
export function readKept(file: string): Kept {
  try {
    const { url, password, api_key: key }: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"));
    return {
      ...(typeof url === "string" ? { url } : {}),
      ...(typeof password === "string" ? { password } : {}),
      ...(typeof key === "string" ? { key } : {}),
    };
  } catch {
    return {};
  }
}

import { domainToUnicode } from "node:url";
import type { ErasedPerson, Person } from "@posthorn/core/storage";
import { type Expression, type SqlBool, sql } from "kysely";
import type { Engine } from "../../engine.ts";
import { anywhere, like } from "../../search.ts";

/**
 * Returns the forms in which an address occurs in our texts: as it is, also within JSON, which escapes none of its
 * characters; within a URL, however strictly encoded; and with its domain in either alphabet.
 */
function formsOf({ address, addressKey }: Person): string[] {
  const at = addressKey.lastIndexOf("@");
  const native = addressKey.slice(0, at + 1) + domainToUnicode(addressKey.slice(at + 1));
  const forms = [address.toLowerCase(), addressKey, native].flatMap((form) => [
    form,
    encodeURIComponent(form).toLowerCase(),
    encodeStrictly(form).toLowerCase(),
  ]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Encodes all that RFC 3986 reserves, as most languages do; JavaScript leaves the apostrophe of `o'neil@` out. */
const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/**
 * Condition that any of the texts may contain the address; `replacerOf` verifies each match. Databases agree about the
 * case of ASCII letters only, and a Turkish one not even of these without `bytewise`: any other letter is left open.
 */
export const naming = (engine: Engine, person: Person, columns: readonly Expression<unknown>[]) => {
  const patterns = new Set(formsOf(person).map((form) => anywhere(form).replace(/[^\0-\x7f]/gu, "_")));
  return sql<SqlBool>`(${sql.join(
    columns.flatMap((column) =>
      [...patterns].map((pattern) => like(sql`lower(${engine.bytewise(column)})`, pattern)),
    ),
    sql` or `,
  )})`;
};

/**
 * Makes a function that replaces a person's address in a text, but not within a longer address; in a key that a caller
 * chose, such as `to-a@b.example`, with any prefix.
 */
export function replacerOf(
  person: Person,
  { by = "", isKey = false }: { by?: string | ((found: string) => string); isKey?: boolean } = {},
): (text: string) => string {
  // Not the hyphen: outside of a class, a pattern with the flag u refuses its escape.
  const forms = formsOf(person).map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  // An escape of a URL or of JSON ends in a letter or digit that is none of the address: in "\nada@", but not in "\\nada@".
  const escaped = String.raw`(?<=%[0-9a-f]{2}|(?<!\\)(?:\\\\)*\\(?:[bfnrt]|u[0-9a-f]{4}))`;
  const before = isKey ? "" : String.raw`(?:${escaped}|(?<![\p{L}\p{N}._%+-]))`;
  const after = String.raw`(?![\p{L}\p{N}]|\.[\p{L}\p{N}])`;
  const pattern = new RegExp(`${before}(?:${forms.join("|")})${after}`, "giu");
  return (text) => text.replace(pattern, typeof by === "string" ? () => by : by);
}

/** Makes the same function for an erased person. */
export const eraserOf = (person: ErasedPerson, { isKey = false } = {}) =>
  replacerOf(person, { by: person.erasedAs, isKey });

/** The name of a type or a subtype (RFC 6838, section 4.2). It has no `*`: in a range such as `image/*`, that stands for any name. */
export const mediaTypeName = "[A-Za-z0-9][!#$&^_.+A-Za-z0-9-]{0,126}";
const token = "[!#$&^_.+*'`|~%A-Za-z0-9-]+";
const named = `[ \\t]*;[ \\t]*(${token})=(?:${token}|"[ !#-\\[\\]-~]*")`;
const parameter = new RegExp(named, "g");
const mediaType = new RegExp(`^(${mediaTypeName})/${mediaTypeName}((?:${named})*)$`);

/** The extension of a file's name; one that begins with its only dot has none. */
const extension = /[^/\\]\.[^./\\]+$/;

/** Returns why a media type can't be a file's (RFC 6838), or `undefined` if it can. */
export function mediaTypeFault(given: string): string | undefined {
  const [, type = "", parameters = ""] = mediaType.exec(given) ?? [];
  if (type === "" || given.length > 255) return "is not a media type such as application/pdf";
  // Mail software takes messages of these types apart; a file must be delivered unchanged.
  if (/^multipart$/i.test(type)) return "can't be multipart: send its parts as files of their own";
  if (/^message$/i.test(type) && !/^message\/rfc822$/i.test(given))
    return "can't be of the kind message, but for message/rfc822 without parameters";
  return parametersFault(parameters);
}

/** Each parameter once, so that all readers read the same. */
function parametersFault(parameters: string): string | undefined {
  const seen = new Set<string>();
  // Values are skipped whole: one in quotes may contain a semicolon.
  for (const [, written = ""] of parameters.matchAll(parameter)) {
    const name = plainName(written);
    if (seen.has(name)) return `has the parameter ${name} twice`;
    seen.add(name);
  }
  return undefined;
}

/** A `*` at the end tells of the value's encoding, and a number behind one is that of a part of it (RFC 2231). */
const plainName = (written: string): string => written.toLowerCase().replace(/\*$/, "");

/** Returns a file's media type without the parameter `name`: readers would take it for the file's name, which is cleaned. */
export function withoutName(mediaType: string): string {
  return mediaType.replace(parameter, (whole, written: string) =>
    /^name(?:\*|$)/.test(plainName(written)) ? "" : whole,
  );
}

/** Returns the media type of a file by the extension of its name; `application/octet-stream` if unknown. */
export async function mediaTypeOf(filename: string): Promise<string> {
  // For a name without an extension the library takes the whole name for one.
  if (!extension.test(filename)) return "application/octet-stream";
  // The table of a thousand extensions is loaded with the first file.
  const { default: mime } = await import("mime");
  const found = mime.getType(filename);
  return found === null || mediaTypeFault(found) !== undefined ? "application/octet-stream" : found;
}

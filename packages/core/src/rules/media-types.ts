/** The name of a type or a subtype (RFC 6838, section 4.2). It has no `*`: in a range such as `image/*`, that stands for any name. */
export const mediaTypeName = "[A-Za-z0-9][!#$&^_.+A-Za-z0-9-]{0,126}";
const token = "[!#$&^_.+*'`|~%A-Za-z0-9-]+";
const mediaType = new RegExp(
  `^(${mediaTypeName})/${mediaTypeName}((?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[ !#-\\[\\]-~]*"))*)$`,
);

/** The extension of a file's name; one that begins with its only dot has none. */
const extension = /[^/\\]\.[^./\\]+$/;

/** Returns why a media type can't be a file's (RFC 6838), or `undefined` if it can. */
export function mediaTypeFault(given: string): string | undefined {
  const [, type = ""] = mediaType.exec(given) ?? [];
  if (type === "" || given.length > 255) return "is not a media type such as application/pdf";
  // Mail software takes messages of these types apart; a file must be delivered unchanged.
  if (/^multipart$/i.test(type)) return "can't be multipart: send its parts as files of their own";
  if (/^message$/i.test(type) && !/^message\/rfc822$/i.test(given))
    return "can't be of the kind message, but for message/rfc822 without parameters";
  return undefined;
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

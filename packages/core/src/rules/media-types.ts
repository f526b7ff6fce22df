const token = "[!#$&^_.+*'`|~%A-Za-z0-9-]+";
const mediaType = new RegExp(
  `^(${token})/(${token})((?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[ !#-\\[\\]-~]*"))*)$`,
);

/** Why a media type can't be a file's (RFC 6838); `undefined` for one that can. */
export function mediaTypeFault(given: string): string | undefined {
  const [, type = ""] = mediaType.exec(given) ?? [];
  if (type === "" || given.length > 255) return "is not a media type such as application/pdf";
  // Mail software takes these apart; what stands in them is to be sent as what it is.
  if (/^multipart$/i.test(type)) return "can't be multipart: send its parts as files of their own";
  if (/^message$/i.test(type) && !/^message\/rfc822$/i.test(given))
    return "can't be of the kind message, but for message/rfc822 without parameters";
  return undefined;
}

/** The media type of a file by its name's extension; `application/octet-stream` for what nobody knows. */
export async function mediaTypeOf(filename: string): Promise<string> {
  // A table of a thousand extensions, read when the first file comes.
  const { default: mime } = await import("mime");
  const found = mime.getType(filename);
  return found === null || mediaTypeFault(found) !== undefined ? "application/octet-stream" : found;
}

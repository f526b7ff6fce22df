import { endLine, type MessageSource } from "../../compose/message-source.ts";
import { dotStuff } from "./dot-stuff.ts";

const smallMessage = 32 * 1024;
const pieceOfMessage = 256 * 1024;

/** Content that is sent in one piece, together with the line that ends it. */
export function smallContent({ parts, size, ended, mayNeedDots }: MessageSource): Buffer | undefined {
  const [only] = parts;
  if (size > smallMessage || parts.length > 1 || !Buffer.isBuffer(only)) return undefined;
  if (ended !== undefined && mayNeedDots === false) return ended;
  const stuffed = dotStuff(only);
  return stuffed === only && ended !== undefined ? ended : Buffer.concat([stuffed, Buffer.from(endLine)]);
}

/** Content of any size as it is transmitted, without the line that ends it. */
export async function* piecesOf({ parts }: MessageSource): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) {
      const content = dotStuff(part);
      for (let start = 0; start < content.length; start += pieceOfMessage)
        yield content.subarray(start, start + pieceOfMessage);
    } else {
      // A line of base64 never begins with a dot.
      for await (const piece of part.base64())
        yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    }
  }
}

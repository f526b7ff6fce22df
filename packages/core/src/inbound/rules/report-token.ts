import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/** What a token names. */
export interface ReportSubject {
  /** The storage's own key of the e-mail. */
  row: number;
  /** The recipient's place among the e-mail's, from 0; `undefined` where the message went to several. */
  position: number | undefined;
}

/** Makes and reads the signed names by which e-mails are known again when something is reported of them (platform.md P7). */
export interface ReportTokens {
  /** 26 characters of `a-z` and `2-7`: fit for the local part of an address, and the same in any case. */
  make(subject: ReportSubject): string;
  /** What the token names; `undefined` for one that this service did not make. */
  read(token: string): ReportSubject | undefined;
}

const version = 1;
const several = 255;
const bodyBytes = 8;
const signatureBytes = 8;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * Tokens under a key: version, e-mail (6 bytes), position, and 64 bits of HMAC-SHA-256. Those under `former` keys, which were replaced, are
 * read as well: reports of mail that was sent under them come back for weeks.
 */
export function createReportTokens(key: Uint8Array, former: readonly Uint8Array[] = []): ReportTokens {
  // Prepared once: from plain bytes, each signature would take twice as long.
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
      // More recipients than a byte can name are told apart by their addresses.
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

/** RFC 4648 section 6 in lower case, without padding. */
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

/** Gateways write addresses in upper case: both are read. */
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

/** The return path under which an e-mail's reports come back. */
export const returnPathOf = (token: string, domain: string): string => `b-${token}@${domain}`;

/** The tokens of the return paths that a text names, such as a `To` field. */
export const tokensInAddresses = (text: string): string[] =>
  [...text.matchAll(inAddress)].flatMap(([, token]) => token ?? []);

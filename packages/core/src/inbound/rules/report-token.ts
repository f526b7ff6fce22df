import { timingSafeEqual } from "node:crypto";
import { base32Letters } from "../../rules/base32-letters.ts";
import { createSigner, type Signer } from "./create-signer.ts";

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

/**
 * Creates tokens under a key: version, e-mail (6 bytes), position, and 64 bits of HMAC-SHA-256. Tokens under `former`
 * keys, which were replaced, are verified as well, because reports of mail sent under them arrive for weeks.
 */
export function createReportTokens(key: Uint8Array, former: readonly Uint8Array[] = []): ReportTokens {
  const [sign, ...others] = [key, ...former].map((one) => createSigner(one, bodyBytes)) as [
    Signer,
    ...Signer[],
  ];
  return {
    make({ row, position }) {
      const bytes = Buffer.alloc(bodyBytes + signatureBytes);
      bytes[0] = version;
      bytes.writeUIntBE(row, 1, 6);
      // Recipients beyond the range of a byte are identified by their addresses.
      bytes[7] = Math.min(position ?? several, several);
      bytes.write(sign(bytes.subarray(0, bodyBytes)), bodyBytes, "hex");
      return base32(bytes);
    },
    read(token) {
      const bytes = fromBase32(token);
      if (bytes?.length !== bodyBytes + signatureBytes) return undefined;
      const body = bytes.subarray(0, bodyBytes);
      if (body.readUInt8(0) !== version) return undefined;
      const isOurs = [sign, ...others].some((by) =>
        timingSafeEqual(bytes.subarray(bodyBytes), Buffer.from(by(body), "hex").subarray(0, signatureBytes)),
      );
      if (!isOurs) return undefined;
      const position = body.readUInt8(7);
      return { row: body.readUIntBE(1, 6), position: position === several ? undefined : position };
    },
  };
}

/** Encodes by RFC 4648 section 6 in lower case, without padding. */
function base32(bytes: Buffer): string {
  const text = Buffer.allocUnsafe(Math.ceil((bytes.length * 8) / 5));
  let length = 0;
  let bits = 0;
  let value = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    value = ((value << 8) | (bytes[index] ?? 0)) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text[length++] = base32Letters.charCodeAt((value >> bits) & 31);
    }
  }
  if (bits > 0) text[length] = base32Letters.charCodeAt((value << (5 - bits)) & 31);
  return text.toString("latin1");
}

/** Gateways convert addresses to upper case, so both cases are decoded. The last character has two unused bits. */
function fromBase32(text: string): Buffer | undefined {
  if (!/^[a-z2-7]{25}[aeimquy4]$/i.test(text)) return undefined;
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text.toLowerCase()) {
    value = ((value << 5) | base32Letters.indexOf(letter)) & 0xfff;
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

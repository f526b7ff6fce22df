/** What a login proves. */
export interface Login {
  username: string;
  /** The password or the token. */
  secret: string;
}

export const encode = (text: string): string => Buffer.from(text).toString("base64");

/** The initial responses of the mechanisms that have one, encoded: RFC 4616, XOAUTH2 of Google and Microsoft, RFC 7628. */
export const initialResponses = {
  plain: ({ username, secret }: Login): string => encode(`\0${username}\0${secret}`),
  xoauth2: ({ username, secret }: Login): string =>
    encode(`user=${username}\x01auth=Bearer ${secret}\x01\x01`),
  // A name's commas and equals signs are escaped (RFC 5801 section 4).
  oauthbearer: ({ username, secret }: Login): string =>
    encode(`n,a=${username.replaceAll("=", "=3D").replaceAll(",", "=2C")},\x01auth=Bearer ${secret}\x01\x01`),
};

/**
 * A certificate and its key, in place of Amazon's, for tests only. Both are public and protect nothing. Valid for a
 * hundred years.
 */
export const snsCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBazCCARCgAwIBAgIBATAKBggqhkjOPQQDAjATMREwDwYDVQQDDAhzbnMudGVz
dDAgFw0yNjExMjEyMDQ5MTRaGA8yMTI2MTAyODIwNDkxNFowEzERMA8GA1UEAwwI
c25zLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATPcop0rdjVpe8B9wWQ
EUHnTjuSmw5hag+zuDxWUFP3ZI6IQGA56KgxZEZ2lZBeAU5XZy/AjmqVwVWUCNPX
MYjKo1MwUTAdBgNVHQ4EFgQUlBuGdjI6/VvW3ojFlKyVSzGZinIwHwYDVR0jBBgw
FoAUlBuGdjI6/VvW3ojFlKyVSzGZinIwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjO
PQQDAgNJADBGAiEAnrYTkBvX9zXPaYU7LVIymNJ8aDlL/hX72c6qXuFhLskCIQD7
0k8PZvOZsCuorQQvJIMOlvl+6f6ukRb7vmI+YubwtQ==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4D7GXoV/5mnVlmxi
4wEOZEfg3ZthbrlKcktEEOsZPCuhRANCAATPcop0rdjVpe8B9wWQEUHnTjuSmw5h
ag+zuDxWUFP3ZI6IQGA56KgxZEZ2lZBeAU5XZy/AjmqVwVWUCNPXMYjK
-----END PRIVATE KEY-----`,
};

/** An address that a name resolves to. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

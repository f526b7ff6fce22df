/** An address that a name leads to. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

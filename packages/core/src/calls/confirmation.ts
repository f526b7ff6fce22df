/** Result of a call without other data. */
export interface Confirmation {
  /** A sentence for display that says what was done. */
  message: string;
}

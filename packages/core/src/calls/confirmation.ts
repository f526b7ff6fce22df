/** What a call answers that was done and has nothing else to show. */
export interface Confirmation {
  /** What was done, in a sentence to show to a person. */
  message: string;
}

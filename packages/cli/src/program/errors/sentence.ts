/** Turns words without a capital and a full stop, such as a summary or an error of the library, into a sentence. */
export const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

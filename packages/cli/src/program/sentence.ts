/** A summary in lower case as the first sentence of a help. */
export const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

const uuid = /[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/gi;

/** Returns what in a text may be an e-mail's id, such as that in a Message-ID. */
export const emailIdsIn = (text: string): string[] =>
  [...text.matchAll(uuid)].map(([id]) => id.toLowerCase());

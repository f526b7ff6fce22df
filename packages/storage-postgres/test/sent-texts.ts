/** The texts of statements that a call of a client's `query` sent. */
export const sentTexts = (asked: unknown): string[] => {
  const { legs, text = "" } = asked as { legs?: readonly { text: string }[]; text?: string };
  return legs?.map((leg) => leg.text) ?? [text];
};

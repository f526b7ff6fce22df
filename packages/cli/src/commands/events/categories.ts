/** The categories of events (decisions §11). */
export const categories = ["audit", "email", "webhook", "campaign", "system"] as const;

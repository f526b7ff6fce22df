/** The placeholder that stands for a recipient's link to unsubscribe. */
export const unsubscribeUrl = "unsubscribe_url";

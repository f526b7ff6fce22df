/** The placeholder for a recipient's link to unsubscribe. */
export const unsubscribeUrl = "unsubscribe_url";

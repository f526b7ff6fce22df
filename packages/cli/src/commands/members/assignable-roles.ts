/** The roles that a member can be given: only a transfer makes an owner. */
export const assignableRoles = ["admin", "editor", "viewer"] as const;

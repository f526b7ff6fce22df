import type { Member, Role } from "../../ports/storage.ts";

/** A member (service.md, Member). `createdAt` is ms since the epoch. */
export interface MemberView {
  /** The membership's number. Verbs take the user's number instead. */
  id: number;
  /** The user's number. */
  userId: number;
  /** The user's name. */
  name: string;
  /** The user's address. */
  email: string;
  /** The member's role in the workspace. */
  role: Role;
  /** When the user joined, ms since the epoch. */
  createdAt: number;
}

export const viewMember = ({ id, userId, name, email, role, createdAt }: Member): MemberView => ({
  id,
  userId,
  name,
  email,
  role,
  createdAt,
});

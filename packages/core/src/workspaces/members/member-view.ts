import type { Member, Role } from "../../ports/storage.ts";

/** A member (service.md, Member). `createdAt` is ms since the epoch. */
export interface MemberView {
  /** The membership's number; verbs take the user's. */
  id: number;
  /** The user's number. */
  userId: number;
  /** What they are called. */
  name: string;
  /** Their address. */
  email: string;
  /** What they may do in the workspace. */
  role: Role;
  /** When they joined, ms since the epoch. */
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

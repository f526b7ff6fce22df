import type { Member, Role } from "../../ports/storage.ts";

/** A member (service.md, Member). `createdAt` is ms since the epoch. */
export interface MemberView {
  id: number;
  userId: number;
  name: string;
  email: string;
  role: Role;
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

import type { StaffRole } from "#contract/roles.ts";
import type { RunningAcademy } from "./academy.ts";
import type { Visitor } from "./visitor.ts";

/** Signs up a user with a confirmed address and this role. */
export async function inRole(academy: RunningAcademy, role: StaffRole | null, address?: string): Promise<Visitor> {
  const visitor = await academy.visitor().signUp(address);
  const statement = "update users set email_verified = true, role = $1 where email = $2";
  await academy.pool.query(statement, [role, visitor.email]);
  return visitor;
}

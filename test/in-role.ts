import type { StaffRole } from "#contract/roles.ts";
import { openPool } from "#server/db/db.ts";
import type { RunningAcademy } from "./academy.ts";
import type { Visitor } from "./visitor.ts";

/** Signs up a user with a confirmed address and this role. */
export async function inRole(academy: RunningAcademy, role: StaffRole | null, address?: string): Promise<Visitor> {
  const visitor = await academy.visitor().signUp(address);
  const pool = openPool(academy.database.connection, () => {}, 1);
  try {
    const { email } = visitor;
    await pool.query("update issuer.accounts set email_verified_at = created_at where email = $1", [email]);
    await pool.query("update users set email_verified = true, role = $1 where email = $2", [role, email]);
  } finally {
    await pool.end();
  }
  return visitor;
}

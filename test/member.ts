import type { Tier } from "#contract/tiers.ts";
import { newId } from "#server/db/id.ts";
import type { RunningAcademy } from "./academy.ts";
import type { Visitor } from "./visitor.ts";

/** A new student to whom a plan was given, by rows: for tests that are not about buying. */
export async function memberOf(academy: RunningAcademy, tier: Tier): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  await academy.pool.query(
    `with given as (
       insert into grants (id, user_id, tier, source, source_id, starts_at, created_at)
       select $2, id, $3, 'administrator', $2, $4, $4 from users where email = $1 returning user_id)
     update users set has_purchased_course = true, purchased_tier = $3 where id in (select user_id from given)`,
    [student.email, newId(), tier, new Date(await academy.now())],
  );
  return student;
}

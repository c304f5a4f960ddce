import { queryOf } from "#app/api/query.ts";
import { getCourseAccess } from "#contract/access.ts";

/** Whether the signed-in student may use the course. Purchases invalidate it. */
export const courseAccessQuery = queryOf(getCourseAccess);

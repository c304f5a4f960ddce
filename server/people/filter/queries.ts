import { and, eq, inArray, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import { blockedStatuses } from "#contract/access.ts";
import type { UserFilter } from "#contract/admin/users.ts";
import { selectEnding } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import { dateIn, startOfDate } from "#server/base/dates.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import { isOneOf } from "#server/db/columns.ts";
import type { Db } from "#server/db/db.ts";
import { containsWords } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { deleted } from "#server/identity/users.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { academyZone } from "#server/settings/settings.ts";
import { renewingStatuses, statusesShownAs } from "#server/subscriptions/subscriptions.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";

/** The users that a filter finds, without deleted accounts. */
export async function usersIn(db: Db, filter: UserFilter, now: Date): Promise<SQL | undefined> {
  const { search, tier, status, show } = filter;
  const ofTier = tier && (tier === "none" ? isNull(users.purchasedTier) : eq(users.purchasedTier, tier));
  return and(
    ne(users.accountStatus, deleted),
    ofTier,
    status &&
      (status === "blocked" ? inArray(users.accountStatus, [...blockedStatuses]) : eq(users.accountStatus, status)),
    show && isShown[show](now, await academyZone(db)),
    hasProgress(filter),
    ...containsWords(users.searchText, search),
  );
}

type Shown = NonNullable<UserFilter["show"]>;

const isShown: Readonly<Record<Shown, (now: Date, timeZone: string) => SQL | undefined>> = {
  "declined-today": (now, zone) => isDeclinedIn({ from: startOfDate(zone, dateIn(zone, now)), end: after(now, DAY) }),
  "declined-this-month": (now, zone) =>
    isDeclinedIn({ from: startOfDate(zone, dateIn(zone, now).with({ day: 1 })), end: after(now, DAY) }),
  "declined-last-month-to-date": (now, zone) => {
    const last = dateIn(zone, now).subtract({ months: 1 });
    return isDeclinedIn({
      from: startOfDate(zone, last.with({ day: 1 })),
      end: startOfDate(zone, last.add({ days: 1 })),
    });
  },
  "renewal-declined": () =>
    sql`${users.id} in (select user_id from ${subscriptions} where ${isOneOf(subscriptions.status, statusesShownAs.declined)})`,
  former: () => and(eq(users.hasPurchasedCourse, true), isNull(users.purchasedTier)),
  "ends-soon": (now) => and(sql`${users.id} in ${selectEnding(now, after(now, endsSoon))}`, not(renews)),
};

const endsSoon = 30 * DAY;

const renews = sql`exists (
  select from ${subscriptions} as renewing
  where renewing.user_id = ${users.id} and renewing.is_paid and ${isOneOf(sql`renewing.status`, renewingStatuses)}
)`;

interface DeclinedIn {
  readonly from: Date;
  /** Exclusive. */
  readonly end: Date;
}

function isDeclinedIn({ from, end }: DeclinedIn): SQL {
  return sql`${users.id} in (
    select user_id from ${paymentAttempts} where state = 'declined' and sent_at >= ${from} and sent_at < ${end}
  )`;
}

function hasProgress({ progress, lesson }: UserFilter): SQL | undefined {
  if (!progress) return undefined;
  if (progress === "stopped-at") return sql`${users.id} in (${stoppedAt(lesson ?? "")})`;
  const isThat = and(
    eq(courseProgress.userId, users.id),
    lesson === undefined ? undefined : eq(courseProgress.lessonId, lesson),
    progress === "not-completed" ? courseProgress.isCompleted : undefined,
  );
  const isNot = sql`not exists (select from ${courseProgress} where ${isThat})`;
  // Everybody has yet to begin a lesson that does not exist.
  return lesson === undefined
    ? isNot
    : sql`${isNot} and exists (select from ${lessons} where ${eq(lessons.id, lesson)})`;
}

/** Like in the learning figures: those who began the lesson, did not complete it, and began no later one. */
function stoppedAt(lessonId: string): SQL {
  return sql`select here.user_id from ${courseProgress} as here
    where here.lesson_id = ${lessonId} and not here.is_completed and not exists (
      select from ${courseProgress} as later
      where later.user_id = here.user_id and later.lesson_id = any(array(${lessonsAfter(lessonId)}))
    )`;
}

/** An array, so that it is computed once and each person's rows are found by the index. */
function lessonsAfter(lessonId: string): SQL {
  return sql`select lesson.id from ${lessons} as lesson join ${modules} as module on module.id = lesson.module_id
    where row(module.position, lesson.position, lesson.id) > (
      select module.position, lesson.position, lesson.id
      from ${lessons} as lesson join ${modules} as module on module.id = lesson.module_id
      where lesson.id = ${lessonId}
    )`;
}

/** Without deleted accounts. */
export function countDeclinedUsers(db: Db, span: DeclinedIn): Promise<number> {
  return db.$count(users, and(ne(users.accountStatus, deleted), isDeclinedIn(span)));
}

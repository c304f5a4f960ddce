import { blockedStatuses, type CourseAccess } from "#contract/access.ts";

/** Whether the account is in a state that closes the course. */
export function isBlocked({ accountStatus }: Pick<CourseAccess, "accountStatus">): boolean {
  return blockedStatuses.includes(accountStatus);
}

import { demoAccounts } from "#content/demo-accounts.ts";
import { bios, colleagues, firstNames, lastNames, locations, mailDomains } from "#content/history/people.ts";
import type { Tier } from "#contract/tiers.ts";
import { after, DAY, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import { builtInIssuer } from "#server/identity/users.ts";
import { type PlanOnSale, remindOfEnd } from "./buying.ts";
import { certify, listGraduates } from "./certificates.ts";
import { answerChecks } from "./checks.ts";
import { couponsOf, usesOf } from "./coupons.ts";
import { fillInbox } from "./inbox.ts";
import { download, type LessonOfCourse, type ResourceOfCourse, watch } from "./learning.ts";
import { askQuestions } from "./questions.ts";
import type { History, LedgerEntry } from "./rows.ts";
import { SeededRandom } from "./seeded-random.ts";
import { simulateStudent } from "./simulation.ts";
import { Student } from "./student.ts";
import { openings } from "./visits.ts";

export interface Course {
  readonly plans: Readonly<Record<Tier, PlanOnSale>>;
  /** In the order of the course. */
  readonly lessons: readonly LessonOfCourse[];
  readonly resources: readonly ResourceOfCourse[];
}

const people = 400;
const year = 365 * DAY;

export function openedAt(now: Date): Date {
  return after(now, -year);
}

/**
 * Simulates twelve months of an academy up to `now`. Pure: the same seed gives the same people and events, moved to
 * other dates. Ids contain the time, so that two academies at one sandbox share none.
 */
export function inventHistory(now: Date, seed: string, course: Course): History {
  const opened = openedAt(now);
  const staff = hire(opened, now, seed);
  const administrators = staff.map(({ user }) => user.id);
  const coupons = couponsOf(opened, now);
  const world = { plans: course.plans, administrators, coupons, now };
  const students = signUps(now, seed);
  for (const student of students) simulateStudent(student, world);

  for (const student of students) {
    remindOfEnd(student, after(now, -MINUTE));
    student.refreshAccess(now);
  }
  const progress = students.flatMap((student) => watch(student, course.lessons, now));
  const downloads = students.flatMap((student) => download(student, course.resources, now));
  const graduates = listGraduates(students, progress, now);
  const answers = answerChecks(progress, graduates, new SeededRandom(seed, "checks"), now);
  const certificates = certify(graduates);
  confirmIdle(students, now);
  const purchases = students.flatMap(({ purchases }) => purchases);
  const uses = usesOf(purchases);
  const inbox = fillInbox(new SeededRandom(seed, "inbox"), { students, administrators, from: opened, now });
  const everybody = [...staff, ...students];
  const users = everybody.map(({ user }) => user);
  const ledger = students.flatMap((student) => student.ledger).toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return {
    users,
    identities: everybody.map(identityOf),
    accounts: everybody.map(accountOf),
    coupons: coupons.map((coupon) => ({
      ...coupon,
      uses: uses.filter(({ couponCode, state }) => couponCode === coupon.code && state === "used").length,
    })),
    couponUses: uses,
    purchases,
    subscriptions: students.flatMap(({ subscriptions }) => subscriptions),
    attempts: students.flatMap(({ attempts }) => attempts).map((attempt) => ({ ...attempt, ...checked(attempt, now) })),
    refunds: students.flatMap(({ refunds }) => refunds).map((refund) => ({ ...refund, ...checked(refund, now) })),
    grants: students.flatMap(({ grants }) => grants),
    grantEnds: students.flatMap(({ grantEnds }) => grantEnds),
    emails: students.flatMap(({ emails }) => emails).filter(({ sentAt }) => sentAt < now),
    progress,
    answers,
    certificates,
    ...askQuestions(new SeededRandom(seed, "questions"), { students, administrators, from: opened, now }),
    downloads,
    contacts: inbox.contacts,
    replies: inbox.replies,
    runs: [lastRun(ledger, now)],
    audit: [...students.flatMap(({ audit }) => audit), ...inbox.audit],
    jobs: students.flatMap(({ jobs }) => jobs).filter(({ runAt }) => runAt > now),
    visits: openings(new SeededRandom(seed, "visits"), {
      ...{ users, purchases, from: opened, now },
      alsoSignedUp: demoAccounts.length,
    }),
    ledger,
  };
}

/** Unconfirmed accounts without purchases would have been deleted by now. */
function confirmIdle(students: readonly Student[], now: Date): void {
  const idleSince = after(now, -20 * DAY);
  confirm(students.filter(({ purchases, lastSeenAt }) => purchases.length === 0 && lastSeenAt < idleSince));
}

function confirm(people: readonly Student[]): void {
  for (const { user } of people) {
    user.emailVerified = true;
    user.emailVerifiedAt ??= user.updatedAt;
  }
}

/** The team's accounts, with confirmed addresses. */
function hire(opened: Date, now: Date, seed: string): Student[] {
  const staff = colleagues.map((colleague, at) => {
    const id = idFor(seed, now.toISOString(), "colleague", String(at));
    const person = { ...colleague, id, phone: null, location: null };
    return new Student(person, after(opened, at * DAY), new SeededRandom(seed, "colleague", String(at)));
  });
  confirm(staff);
  return staff;
}

function identityOf({ user, subject, lastSeenAt }: Student): History["identities"][number] {
  const { id: userId, createdAt } = user;
  return { issuer: builtInIssuer, subject, userId, createdAt, lastSignInAt: lastSeenAt, usedSecondFactor: null };
}

function accountOf({ user, subject, lastSeenAt }: Student): History["accounts"][number] {
  return {
    subject,
    email: user.email,
    firstName: user.firstName ?? "",
    lastName: user.lastName ?? "",
    createdAt: after(user.createdAt, -5 * SECOND),
    emailVerifiedAt: user.emailVerifiedAt,
    lastSignInAt: new Date(Math.floor(lastSeenAt.getTime() / SECOND) * SECOND),
  };
}

/** Sign-ups by day, growing from month to month, with peaks in January and autumn. */
function signUps(now: Date, seed: string): Student[] {
  const random = new SeededRandom(seed, "sign-ups");
  const opened = openedAt(now);
  const lastSignUp = after(now, -3 * HOUR);
  const taken = new Set<string>();
  return Array.from({ length: people }, (_, number) => {
    const share = ((number + random.next()) / people) ** 0.68;
    const wave = Math.sin(share * 4 * Math.PI) * 0.018;
    const joinedAt = after(
      opened,
      Math.max(0.001, share - wave * (1 - share)) * (lastSignUp.getTime() - opened.getTime()),
    );
    let [firstName, lastName] = ["", ""];
    do [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)];
    while (taken.has(`${firstName} ${lastName}`));
    taken.add(`${firstName} ${lastName}`);
    const address = `${firstName}.${lastName.toLowerCase().replace(/[^a-z]/g, "")}`.toLowerCase();
    const person = {
      id: idFor(seed, now.toISOString(), "student", String(number)),
      firstName,
      lastName,
      email: `${address}@${random.pick(mailDomains)}`,
      phone: random.happens(0.12) ? `+1 555 01${String(random.whole(0, 99)).padStart(2, "0")}` : null,
      location: random.happens(0.3) ? random.pick(locations) : null,
      bio: random.happens(0.09) ? random.pick(bios) : null,
    };
    return new Student(
      person,
      joinedAt < lastSignUp ? joinedAt : lastSignUp,
      new SeededRandom(seed, "student", String(number)),
    );
  });
}

/** Sets when charges and refunds were last compared, which happens weekly for four months. */
function checked(
  made: { readonly state: string; readonly resolvedAt: Date | null },
  now: Date,
): { checkedAt: Date | null } {
  if (!["approved", "returned"].includes(made.state) || made.resolvedAt === null) return { checkedAt: null };
  const first = after(made.resolvedAt, 5 * MINUTE);
  const weeks = Math.min(18, Math.floor((now.getTime() - first.getTime()) / (7 * DAY)));
  return { checkedAt: weeks > 0 ? after(first, weeks * 7 * DAY) : null };
}

/** Last night's reconciliation, at three o'clock, over three days. Pages show none before it. */
function lastRun(ledger: readonly LedgerEntry[], now: Date): History["runs"][number] {
  const startedAt = after(now, -3 * HOUR);
  startedAt.setUTCHours(3, 0, 0, 0);
  const from = after(startedAt, -3 * DAY - 5 * HOUR);
  const checked = ledger.filter(({ at }) => new Date(at) >= from && new Date(at) < startedAt).length;
  const finishedAt = after(startedAt, 400 + checked * 9);
  return { id: idFor("run", now.toISOString()), startedAt, finishedAt, checked, error: null };
}

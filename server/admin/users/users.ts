import type { z } from "zod";
import type { AdminUser, UserDetail, UserFilter, UserListQuery } from "#contract/admin/users.ts";
import { decimalAmount } from "#contract/money.ts";
import { isAdministration } from "#contract/permissions.ts";
import { Tier } from "#contract/tiers.ts";
import { accessOf, computeAccess, listGrants, listGrantsOfMany } from "#server/access/access.ts";
import { countWatchableLessons, currentPlanNames } from "#server/catalogue/catalogue.ts";
import { findCertificateOf } from "#server/certificates/certificates.ts";
import { listActiveCoaches } from "#server/coaching/coaches.ts";
import type { Context } from "#server/context/context.ts";
import type { RowSelection } from "#server/db/paging.ts";
import { whatStops } from "#server/discrepancies/discrepancies.ts";
import { listLastSignIns } from "#server/identity/second-factor.ts";
import { countSessionsOf, findLastSeen } from "#server/identity/sessions/session-ends.ts";
import { isRoot, liveUserById, roleOf, type User, userMay } from "#server/identity/users.ts";
import { listCompletedElsewhere } from "#server/progress/elsewhere.ts";
import { listProgressOf } from "#server/progress/progress.ts";
import { kinds } from "#server/reconciliation/kinds.ts";
import { mayManage, mayReopen } from "#server/subscriptions/account-rules.ts";
import { findSubscriptionStates, listClosedBySupport } from "#server/subscriptions/account-states.ts";
import { listPurchasesOf } from "#server/subscriptions/purchase-list.ts";
import { findSubscription, isDeclined } from "#server/subscriptions/subscriptions.ts";
import * as find from "./queries.ts";
import { rightsOver } from "./rules.ts";

export async function listUsers(ctx: Context, actor: User, query: UserListQuery & RowSelection): Promise<AdminUser[]> {
  return presentUsers(ctx, actor, await find.listUserRows(ctx.db, query, ctx.clock.now()));
}

/** With what each user has access to now, has paid in all (null: the actor may not see it), and when they last signed in. */
export async function listUsersWithPayments(ctx: Context, actor: User, query: UserListQuery & RowSelection) {
  const users = await listUsers(ctx, actor, query);
  const ids = users.map(({ id }) => id);
  const seesMoney = userMay(ctx, actor, "purchases:read");
  const [grants, payments, signIns, names] = await Promise.all([
    listGrantsOfMany(ctx.db, ids),
    find.sumPayments(ctx.db, seesMoney ? ids : []),
    listLastSignIns(ctx.db, ids),
    currentPlanNames(ctx.db),
  ]);
  return users.map((user, at) => {
    const { tier, until } = computeAccess(grants[at] ?? [], ctx.clock.now());
    return {
      ...user,
      tier,
      planName: tier && names[tier],
      accessUntil: iso(until),
      paidCents: seesMoney ? (payments.get(user.id)?.paidCents ?? 0) : null,
      refundedCents: seesMoney ? (payments.get(user.id)?.refundedCents ?? 0) : null,
      lastSignInAt: iso(signIns.get(user.id)?.at ?? null),
    };
  });
}

export async function countUsers(ctx: Context, filter: z.infer<typeof UserFilter>): Promise<{ total: number }> {
  return { total: await find.countUserRows(ctx.db, filter, ctx.clock.now()) };
}

/** @throws Refusal not-found. */
export async function describeUser(ctx: Context, actor: User, userId: string): Promise<UserDetail> {
  const user = await liveUserById(ctx.db, userId);
  const now = ctx.clock.now();
  const [presented] = await presentUsers(ctx, actor, [user]);
  if (!presented) throw new Error("a user was not presented");
  const access = await accessOf(ctx.db, userId, now);
  const sessions = await countSessionsOf(ctx.db, userId, now);
  const signIns = await find.listSignIns(ctx.db, userId);
  const seesMoney = userMay(ctx, actor, "purchases:read");
  const payments = seesMoney ? await describePayments(ctx, userId) : { purchases: [], attempts: [], refunds: [] };
  const progress = await describeProgress(ctx, user);
  const paid = seesMoney ? (await find.sumPayments(ctx.db, [userId])).get(userId) : undefined;
  const lastSeen = [await findLastSeen(ctx.db, userId), ...signIns.map(({ lastSignInAt }) => iso(lastSignInAt))];
  return {
    user: presented,
    paid: seesMoney ? { chargedCents: paid?.paidCents ?? 0, refundedCents: paid?.refundedCents ?? 0 } : null,
    card: seesMoney ? await describeCard(ctx, user) : null,
    lastSeenAt:
      [...lastSeen, progress.lastActiveAt]
        .flatMap((at) => at ?? [])
        .toSorted()
        .at(-1) ?? null,
    access: { tier: access.tier, until: iso(access.until), source: access.source, since: iso(access.since) },
    grants: await describeGrants(ctx, userId),
    ...payments,
    stoppedBy: [...new Set((await whatStops(ctx.db, "bookings", userId)).map(({ kind }) => kind))].map((kind) => ({
      kind,
      title: kinds[kind].title,
    })),
    progress,
    certificate: await findCertificateOf(ctx, user.id),
    downloads: (await find.listDownloadsOfUser(ctx.db, userId)).map((download) => ({
      ...download,
      downloadedAt: download.downloadedAt.toISOString(),
    })),
    emails: (await find.listEmailsOfUser(ctx.db, userId)).map((email) => ({
      ...email,
      sentAt: email.sentAt.toISOString(),
    })),
    contacts:
      user.emailVerified && userMay(ctx, actor, "messages:answer")
        ? (await find.listMessagesFrom(ctx.db, user.email)).map((contact) => ({
            ...contact,
            createdAt: contact.createdAt.toISOString(),
          }))
        : [],
    sessions,
    signIns: signIns.flatMap(({ issuer, lastSignInAt }) =>
      lastSignInAt ? [{ issuer, lastSignInAt: lastSignInAt.toISOString() }] : [],
    ),
  };
}

async function describeCard({ db, clock }: Context, user: User): Promise<UserDetail["card"]> {
  const subscription = await findSubscription(db, user.id, clock.now());
  if (subscription?.card.last4) {
    const { status, declinedForGood, card } = subscription;
    const isUnused = status === "cancelled" || status === "held" || user.accountStatus !== "active";
    const renews = isUnused ? "not-kept" : isDeclined(subscription) ? "declined" : "renews";
    return { brand: card.brand, last4: card.last4 ?? "", state: declinedForGood ? "replace" : renews };
  }
  const charged = await find.findLastCard(db, user.id);
  return charged?.last4 ? { brand: charged.brand, last4: charged.last4, state: "not-kept" } : null;
}

async function describeGrants(ctx: Context, userId: string): Promise<UserDetail["grants"]> {
  const now = ctx.clock.now();
  return (await listGrants(ctx.db, userId)).toReversed().map((grant) => ({
    id: grant.id,
    tier: grant.tier,
    source: grant.source,
    purchaseId: grant.purchaseId,
    startsAt: grant.startsAt.toISOString(),
    endsAt: iso(grant.endsAt),
    endedAt: iso(grant.endedAt),
    isInForce:
      grant.startsAt <= now &&
      (grant.endsAt === null || now < grant.endsAt) &&
      (grant.endedAt === null || now < grant.endedAt),
    reason: grant.reason,
  }));
}

async function describePayments(
  ctx: Context,
  userId: string,
): Promise<Pick<UserDetail, "purchases" | "attempts" | "refunds">> {
  const [purchases, attempts, refunds] = await Promise.all([
    listPurchasesOf(ctx, { id: userId }),
    find.listAttemptsOfUser(ctx.db, userId),
    find.listRefundsOfUser(ctx.db, userId),
  ]);
  return {
    purchases,
    attempts: attempts.map(({ attempt }) => ({
      ...attempt,
      amount: decimalAmount(attempt.amount),
      sentAt: attempt.sentAt.toISOString(),
      resolvedAt: iso(attempt.resolvedAt),
    })),
    refunds: refunds.map(({ refund }) => ({
      ...refund,
      amount: decimalAmount(refund.amount),
      sentAt: refund.sentAt.toISOString(),
      resolvedAt: iso(refund.resolvedAt),
    })),
  };
}

async function describeProgress(ctx: Context, user: User): Promise<UserDetail["progress"]> {
  const [records, begun, lessonsTotal, [elsewhere = []]] = await Promise.all([
    listProgressOf(ctx, user),
    find.listBegunLessons(ctx.db, user.id),
    countWatchableLessons(ctx.db, ctx.clock.now()),
    listCompletedElsewhere(ctx.db, [user.id]),
  ]);
  const lessons = begun.flatMap(({ lessonId, title }) => {
    const record = records.find((one) => one.lessonId === lessonId);
    return record ? [{ ...record, title }] : [];
  });
  return {
    lessonsCompleted: records.filter((record) => record.isCompleted).length,
    lessonsStarted: records.length,
    lessonsElsewhere: elsewhere.length,
    lessonsTotal,
    watchSeconds: records.reduce((sum, record) => sum + record.watchTime, 0),
    lastActiveAt:
      records
        .map((record) => record.updatedAt)
        .toSorted()
        .at(-1) ?? null,
    lessons,
  };
}

async function presentUsers(ctx: Context, actor: User, users: readonly User[]): Promise<AdminUser[]> {
  const ids = users.map(({ id }) => id);
  const [states, coaches, attempts] = await Promise.all([
    findSubscriptionStates(ctx.db, ids),
    listActiveCoaches(ctx.db),
    find.listLastAttempts(ctx.db, ids),
  ]);
  const closedBySupport = await listClosedBySupport(ctx.db, ids);
  const attemptOf = new Map(attempts.map(({ userId, ...attempt }) => [userId, attempt]));
  const coachIds = new Set(coaches.map(({ userId }) => userId));
  const actorRole = roleOf(ctx, actor);
  return users.map((user) => {
    const tier = Tier.nullable().parse(user.purchasedTier);
    const isClosedBySupport = closedBySupport.has(user.id);
    const {
      renews = false,
      holdable = null,
      isDeclined = false,
      isUnpaid = false,
      waitsForPayment = false,
    } = states.get(user.id) ?? {};
    const target = { isRoot: isRoot(ctx, user), role: user.role, isCoach: coachIds.has(user.id) };
    return {
      ...user,
      purchasedTier: tier,
      role: target.isRoot ? "owner" : user.role,
      isAdmin: isAdministration(roleOf(ctx, user)),
      createdAt: user.createdAt.toISOString(),
      updatedAt: user.updatedAt.toISOString(),
      lastAttempt: presentAttempt(attemptOf.get(user.id)),
      waitsForPayment,
      may: rightsOver(
        {
          tier,
          accountStatus: user.accountStatus,
          renews,
          holdable,
          isDeclined,
          waitsForPayment,
          isSelf: user.id === actor.id,
          mayClose: mayManage(actorRole, target, "close"),
          mayOpen: mayManage(actorRole, target, "open") && mayReopen(actorRole, { isClosedBySupport, isUnpaid }),
        },
        actorRole,
      ),
    };
  });
}

function presentAttempt(attempt: Pick<find.LastAttempt, "state" | "sentAt"> | undefined): AdminUser["lastAttempt"] {
  return attempt ? { state: attempt.state, at: attempt.sentAt.toISOString() } : null;
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

import { listAnnouncements } from "#contract/admin/announcements.ts";
import { listContacts } from "#contract/admin/contacts.ts";
import { getCorrespondence } from "#contract/admin/people.ts";
import {
  type AdminPurchase,
  getPurchaseDetail,
  listAllPurchases,
  type PurchaseDetail,
} from "#contract/admin/purchases.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { listProgress } from "#contract/progress.ts";
import { listUserPurchases } from "#contract/purchases/purchases.ts";
import { getOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { downloadResource, listResources } from "#contract/resources.ts";
import type { LedgerRow } from "../academy.ts";
import { type Administrator, signInFresh } from "./administrator.ts";
import type { Arrival } from "./installation.ts";
import { hashOf, type Student, type World } from "./students.ts";

const renewedEvery = 30 * 86_400_000;

export interface Comparison {
  /** The number of checked writes, by kind. */
  readonly compared: Record<string, number>;
  /** A sentence for each lost write. */
  readonly lost: string[];
  /** A sentence for each duplicate. */
  readonly doubled: string[];
  /** Mails that arrived more than once with the same Message-ID. */
  readonly repeatedMails: number;
}

/** Looks for all acknowledged writes in the product, the gateway and the mail server. */
export async function compareAll(
  world: World,
  administrator: Administrator,
  { ledger, mails }: { ledger: readonly LedgerRow[]; mails: readonly Arrival[] },
): Promise<Comparison> {
  const compared: Record<string, number> = {};
  const lost: string[] = [];
  const doubled: string[] = [];
  const expectThat = (kind: string, holds: boolean, sentence: () => string) => {
    compared[kind] = (compared[kind] ?? 0) + 1;
    if (!holds) lost.push(`${kind}: ${sentence()}`);
  };
  await signInFresh(administrator);
  const { person: admin } = administrator;

  const details = new Map<string, PurchaseDetail>();
  for (const { id } of await listEverything(listPurchasesAfter)) {
    const { status, body } = await admin.call(getPurchaseDetail, { params: { purchaseId: id } });
    if (status !== 200) throw new Error(`purchase ${id} answered ${status}`);
    details.set(id, body);
  }
  compareLedger();
  for (const student of world.students) await compareStudent(student);
  await compareAdministration();
  const repeatedMails = compareMails();
  return { compared, lost, doubled, repeatedMails };

  async function listPurchasesAfter(after: string | undefined): Promise<AdminPurchase[]> {
    const query = { limit: "200", ...(after && { after }) };
    return (await admin.call(listAllPurchases, { query })).body;
  }

  /**
   * Each approved charge has one attempt, each approved attempt one charge, and each returned transaction one refund.
   */
  function compareLedger(): void {
    const approved = ledger.filter(({ responseCode }) => responseCode === "1");
    const charges = approved.filter(({ type }) => type === "authCaptureTransaction");
    const known = new Set<string | null>();
    for (const { purchase, attempts, refunds } of details.values()) {
      const paid = attempts.filter(({ state }) => state === "approved");
      for (const { transactionId, invoiceNumber } of paid) {
        known.add(transactionId);
        const same = charges.filter((row) => row.invoiceNumber === invoiceNumber);
        expectThat("charge", same.length > 0, () => `${invoiceNumber} is not in the ledger`);
        if (same.length > 1) doubled.push(`charge: invoice ${invoiceNumber} has ${same.length} charges`);
      }
      if (paid.filter(({ kind }) => kind === "initial").length > 1) doubled.push(`charge: purchase ${purchase.id}`);
      const renewals = paid.filter(({ kind }) => kind === "renewal").map(({ sentAt }) => Date.parse(sentAt));
      renewals.sort((a, b) => a - b);
      for (const [at, sentAt] of renewals.entries()) {
        const before = renewals[at - 1];
        if (before !== undefined && sentAt - before < renewedEvery / 2) doubled.push(`renewal: ${purchase.id}`);
      }
      for (const { transactionId, amount } of refunds.filter(({ state }) => state === "returned")) {
        known.add(transactionId);
        const returns = approved.filter((row) => row.transId === transactionId);
        expectThat("return", returns.length === 1 || transactionId === null, () => `${transactionId} of ${amount}`);
      }
    }
    for (const row of charges) {
      if (!known.has(row.transId)) doubled.push(`charge: ${row.transId} of ${row.amount} belongs to no purchase`);
    }
    for (const row of approved.filter(({ type }) => type === "refundTransaction")) {
      if (!known.has(row.transId)) doubled.push(`refund: ${row.transId} of ${row.amount} belongs to no purchase`);
    }
    for (const { purchaseId, amount, isAcknowledged } of administrator.refunds) {
      const detail = details.get(purchaseId);
      const returned = detail?.refunds.filter(({ state }) => state === "returned") ?? [];
      if (isAcknowledged) expectThat("refund", returned.length > 0, () => `${purchaseId} of ${amount ?? "all"}`);
      if (returned.length > 1) doubled.push(`refund: ${purchaseId} has ${returned.length}`);
    }
  }

  async function compareStudent({ person, intents, watched, lastName, renews }: Student): Promise<void> {
    const { email } = person;
    const signedIn = await person.signInAgain().catch((error: Error) => error);
    expectThat("account", !(signedIn instanceof Error), () => `${email}: ${(signedIn as Error).message}`);
    if (signedIn instanceof Error) return;
    const { body: user } = await person.call(getCurrentUser);
    const names = [lastName.acknowledged, ...lastName.doubtful];
    if (lastName.acknowledged) {
      expectThat("profile", names.includes(user.lastName), () => `${email} is ${user.lastName}, not ${names}`);
    }
    const { body: purchases } = await person.call(listUserPurchases);
    for (const { tier, purchaseId } of intents) {
      const paid = purchases.filter((one) => one.tier === tier && ["completed", "refunded"].includes(one.status));
      if (paid.length > 1) doubled.push(`purchase: ${email} has ${paid.length} of ${tier}`);
      if (purchaseId)
        expectThat(
          "purchase",
          paid.some(({ id }) => id === purchaseId),
          () => `${email}: ${purchaseId}`,
        );
      if (purchases.some((one) => one.tier === tier && one.status === "pending")) lost.push(`${email}: still pending`);
    }
    const { body: progress } = await person.call(listProgress);
    for (const [lessonId, watchTime] of watched) {
      const kept = progress.find((one) => one.lessonId === lessonId)?.watchTime ?? 0;
      expectThat("note of watching", kept >= watchTime, () => `${email} ${lessonId}: ${kept} of ${watchTime} s`);
    }
    if (renews.acknowledged === false && renews.doubtful.length === 0) {
      const { body } = await person.call(getOwnSubscription);
      expectThat("cancellation", body.subscription?.state !== "renewing", () => `${email} renews`);
    }
  }

  async function compareAdministration(): Promise<void> {
    const contacts = await listEverything(async (after) => {
      const query = { limit: "200", ...(after && { after }) };
      return (await admin.call(listContacts, { query })).body;
    });
    for (const [message, isAcknowledged] of world.messages) {
      const kept = contacts.filter((one) => one.message === message).length;
      if (isAcknowledged) expectThat("message", kept > 0, () => message);
      if (kept > 1) doubled.push(`message: ${message}`);
    }
    for (const [text, userId] of administrator.notes) {
      const { body } = await admin.call(getCorrespondence, { params: { userId } });
      expectThat(
        "note",
        body.notes.some((one) => one.text === text),
        () => text,
      );
    }
    const { body: resources } = await admin.call(listResources);
    for (const [id, hash] of world.uploads) {
      const { status, body } = await admin.call(downloadResource, { params: { resourceId: id } });
      expectThat("upload", status === 200 && hashOf(body as Uint8Array) === hash, () => `${id} answered ${status}`);
      const title = administrator.titles.get(id);
      const kept = resources.find((one) => one.id === id)?.title;
      if (title) expectThat("rename", kept === title, () => `${id} is ${kept}, not ${title}`);
    }
    const { rows: announcements } = (await admin.call(listAnnouncements, { query: { limit: "200" } })).body;
    for (const [id, subject] of administrator.announcements) {
      const kept = announcements.find((one) => one.id === id);
      expectThat("announcement", kept?.state === "done", () => `${subject} is ${kept?.state}`);
      const reached = new Set(mails.filter((one) => one.subject === subject).map(({ to }) => to));
      // The administrator's mail has another subject.
      expectThat("announced to", reached.size === kept?.done, () => `${subject}: ${reached.size} of ${kept?.done}`);
    }
  }

  /** @returns the number of mails that arrived more than once */
  function compareMails(): number {
    for (const [subject, to] of administrator.written) {
      expectThat(
        "mail",
        mails.some((one) => one.subject === subject && one.to === to),
        () => `${subject} to ${to}`,
      );
    }
    for (const { person } of world.students) {
      const confirmation = (one: Arrival) => one.to === person.email && one.subject === "Confirm your email address";
      expectThat("mail", mails.some(confirmation), () => `confirmation of ${person.email}`);
    }
    const ids = new Map<string, Set<string>>();
    for (const { to, subject, text, messageId } of mails) {
      const content = [to, subject, text].join("\n");
      ids.set(content, (ids.get(content) ?? new Set()).add(messageId));
    }
    const asked = new Map(world.students.map((student) => [student.person.email, student.asked]));
    for (const [content, messageIds] of ids) {
      const [to = "", subject = ""] = content.split("\n", 2);
      const { cancelled = 0, resumed = 0 } = asked.get(to) ?? {};
      const most = subject.endsWith(" is cancelled") ? cancelled : subject.endsWith(" continues") ? resumed : 1;
      if (messageIds.size > most) doubled.push(`mail: ${to}, ${subject} under ${messageIds.size} ids, not ${most}`);
    }
    return mails.length - new Set(mails.map(({ messageId }) => messageId)).size;
  }
}

async function listEverything<Row extends { readonly id: string }>(
  listAfter: (after: string | undefined) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const more = await listAfter(rows.at(-1)?.id);
    if (more.length === 0) return rows;
    rows.push(...more);
  }
}

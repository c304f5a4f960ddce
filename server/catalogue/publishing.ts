import { asc, desc, eq } from "drizzle-orm";
import { centsOf } from "#contract/money.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { setCaptions } from "./catalogue.ts";
import { type Draft, findPublished, listDrafts } from "./content.ts";
import { type ContentChange, type ContentKey, dropDraft, takeTurn } from "./drafting.ts";
import { setOffer } from "./offer.ts";
import { lessons, modules, plans } from "./tables.ts";

/** All drafts unless some are named. @throws Refusal not-found, conflict for a lesson of an unpublished module. */
export async function publishDrafts(
  tx: Db,
  only: readonly ContentKey[] | undefined,
  now: Date,
): Promise<ContentChange[]> {
  const chosen = await takeDrafts(tx, only);
  const changes: ContentChange[] = [];
  for (const kind of ["module", "lesson", "plan", "offer"] as const) {
    for (const draft of chosen.filter((one) => one.kind === kind)) {
      const before = await findPublished(tx, kind, draft.id);
      await publish(tx, draft, now);
      await dropDraft(tx, draft);
      changes.push({ kind, id: draft.id, before, after: draft.content });
    }
  }
  await numberAnew(tx);
  return changes;
}

/** All unless some are named; lessons drafted in a module that was never published go with it. */
export async function discardDrafts(tx: Db, only: readonly ContentKey[] | undefined): Promise<ContentKey[]> {
  const chosen = await takeDrafts(tx, only);
  const dropped: ContentKey[] = [];
  for (const { kind, id } of chosen) {
    await dropDraft(tx, { kind, id });
    dropped.push({ kind, id });
    if (kind !== "module" || (await findPublished(tx, "module", id))) continue;
    for (const lesson of (await listDrafts(tx)).filter((one) => one.kind === "lesson")) {
      if ((lesson as Draft<"lesson">).content.moduleId === id) await dropDraft(tx, lesson);
    }
  }
  return dropped;
}

async function takeDrafts(tx: Db, only: readonly ContentKey[] | undefined): Promise<Draft[]> {
  await takeTurn(tx);
  const drafts = await listDrafts(tx);
  if (!only) return drafts;
  return only.map(({ kind, id }) => {
    const draft = drafts.find((one) => one.kind === kind && one.id === id);
    if (!draft) throw new Refusal("not-found", `There is no draft of ${kind} ${id}.`);
    return draft;
  });
}

async function publish(tx: Db, draft: Draft, updatedAt: Date): Promise<void> {
  const { id } = draft;
  switch (draft.kind) {
    case "module": {
      const values = { ...(draft as Draft<"module">).content, updatedAt };
      await tx
        .insert(modules)
        .values({ id, ...values })
        .onConflictDoUpdate({ target: modules.id, set: values });
      return;
    }
    case "lesson": {
      const { captions, duration, position, ...content } = (draft as Draft<"lesson">).content;
      const values = { ...content, durationSeconds: duration, position: position - 1, updatedAt };
      if (!(await findPublished(tx, "module", content.moduleId))) {
        throw new Refusal("conflict", `Publish the module of “${content.title}” with it.`);
      }
      await tx
        .insert(lessons)
        .values({ id, ...values })
        .onConflictDoUpdate({ target: lessons.id, set: values });
      await setCaptions(tx, id, captions ?? "");
      return;
    }
    case "plan": {
      const { price, originalPrice, ...content } = (draft as Draft<"plan">).content;
      const original = originalPrice === null ? null : inCents(originalPrice);
      await tx
        .update(plans)
        .set({ ...content, price: inCents(price), originalPrice: original, updatedAt })
        .where(eq(plans.id, id));
      return;
    }
    case "offer":
      await setOffer(tx, (draft as Draft<"offer">).content, updatedAt);
  }
}

/** Of two at one position the one that changed last comes first. */
async function numberAnew(tx: Db): Promise<void> {
  const moduleRows = await tx
    .select({ id: modules.id, position: modules.position })
    .from(modules)
    .orderBy(asc(modules.position), desc(modules.updatedAt), asc(modules.id));
  for (const [at, { id, position }] of moduleRows.entries()) {
    if (position !== at + 1)
      await tx
        .update(modules)
        .set({ position: at + 1 })
        .where(eq(modules.id, id));
  }
  const lessonRows = await tx
    .select({ id: lessons.id, moduleId: lessons.moduleId, position: lessons.position })
    .from(lessons)
    .orderBy(asc(lessons.position), desc(lessons.updatedAt), asc(lessons.id));
  for (const ofModule of Map.groupBy(lessonRows, ({ moduleId }) => moduleId).values()) {
    for (const [at, { id, position }] of ofModule.entries()) {
      if (position !== at) await tx.update(lessons).set({ position: at }).where(eq(lessons.id, id));
    }
  }
}

function inCents(dollars: number): number {
  const cents = centsOf(dollars);
  if (cents === null) throw new Error("a price with parts of a cent passed its schema");
  return cents;
}

import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { arrange, type Draft, listDrafts, modulesId } from "./content.ts";
import { isDraft, recordChange } from "./drafting.ts";
import { contentDrafts, lessons, modules } from "./tables.ts";

/** What is new stays behind what it follows. */
export async function discardOrder(tx: Db, id: string): Promise<void> {
  const arrangement = (await arrange(tx, await listDrafts(tx))).get(id);
  if (!arrangement) return;
  const order = withAdded(arrangement.published, arrangement.drafted, () => true);
  await tx
    .update(contentDrafts)
    .set({ content: { order } })
    .where(isDraft({ kind: "order", id }));
}

type Arrangement = ReturnType<Awaited<ReturnType<typeof arrange>>["get"]> & object;

/** Publishes an order that was chosen, and otherwise puts what is new where it was drafted among what stays in order. */
export async function place(
  tx: Db,
  id: string,
  { published, drafted }: Arrangement,
  chosen: readonly Draft[],
  actor: string,
  now: Date,
): Promise<void> {
  const kind = id === modulesId ? "module" : "lesson";
  const isOnPages = (one: string) =>
    published.includes(one) || chosen.some((draft) => draft.kind === kind && draft.id === one);
  const isChosen = chosen.some((draft) => draft.kind === "order" && draft.id === id);
  const order = isChosen ? drafted.filter(isOnPages) : withAdded(published, drafted, isOnPages);
  for (const [at, one] of order.entries()) {
    if (published[at] === one) continue;
    if (kind === "lesson") await tx.update(lessons).set({ position: at }).where(eq(lessons.id, one));
    else {
      const position = at + 1;
      await tx.update(modules).set({ position }).where(eq(modules.id, one));
    }
  }
  if (!isChosen) return;
  const table = kind === "lesson" ? lessons : modules;
  const rows = await tx.select({ id: table.id, title: table.title }).from(table);
  const titleOf = new Map(rows.map(({ id, title }) => [id, title]));
  const change = {
    kind: "order",
    id,
    before: { order: published.map((one) => titleOf.get(one)) },
    after: { order: order.map((one) => titleOf.get(one)) },
  } as const;
  await recordChange(tx, actor, "publish", change, now);
}

/** `base` with each added entry of `order` behind the one that it follows there. */
function withAdded(base: readonly string[], order: readonly string[], isAdded: (id: string) => boolean): string[] {
  const placed = [...base];
  for (const [at, id] of order.entries()) {
    if (placed.includes(id) || !isAdded(id)) continue;
    const before = order.slice(0, at).findLast((one) => placed.includes(one));
    placed.splice(before === undefined ? 0 : placed.indexOf(before) + 1, 0, id);
  }
  return placed;
}

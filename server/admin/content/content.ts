import type { AcademyContent } from "#contract/admin/content.ts";
import { type Change, differences } from "#server/admin/acting.ts";
import { recordAudit } from "#server/admin/audit.ts";
import { type ContentOf, type DraftKind, describeContent } from "#server/catalogue/content.ts";
import { type ContentKey, discardDrafts, draftContent, publishDrafts } from "#server/catalogue/editing.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";

/** Keeps a draft; returns all content as it stands then. @throws Refusal not-found, invalid-input. */
export async function draft<Kind extends DraftKind>(
  ctx: Context,
  actor: User,
  piece: { readonly kind: Kind; readonly id: string; readonly content: ContentOf[Kind] },
): Promise<AcademyContent> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const { kind, id, before, after } = await draftContent(tx, piece, now);
    await record(tx, actor, `draft ${kind}`, id, changed(before, after), now);
    return describeContent(tx);
  });
}

/** Puts drafts on the pages; returns how many. @throws Refusal not-found, conflict. */
export async function publish(ctx: Context, actor: User, only: readonly ContentKey[] | undefined): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const changes = await publishDrafts(tx, only, now);
    for (const { kind, id, before, after } of changes) {
      await record(tx, actor, `publish ${kind}`, id, changed(before, after), now);
    }
    return changes.length;
  });
}

/** Drops drafts; returns how many. @throws Refusal not-found. */
export async function discard(ctx: Context, actor: User, only: readonly ContentKey[] | undefined): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const dropped = await discardDrafts(tx, only);
    for (const { kind, id } of dropped) await record(tx, actor, `discard draft of ${kind}`, id, {}, ctx.clock.now());
    return dropped.length;
  });
}

function record(tx: Db, actor: User, action: string, subject: string, change: Change, now: Date): Promise<void> {
  return recordAudit(tx, { actor: actor.id, action, subject, ...change }, now);
}

/** Captions are long: of them the log says how long. */
function changed(before: object | null, after: object): Change {
  const brief = (content: object | null) => {
    const fields = { ...content } as Record<string, unknown>;
    return typeof fields.captions === "string"
      ? { ...fields, captions: `${fields.captions.length} characters` }
      : fields;
  };
  return differences(brief(before), brief(after));
}

import { PurchaseListQuery } from "#contract/admin/purchases.ts";
import { maxFound, type SearchResults } from "#contract/admin/search.ts";
import { UserListQuery } from "#contract/admin/users.ts";
import { listPurchases } from "#server/admin/purchases/purchases.ts";
import { listUserRows } from "#server/admin/users/queries.ts";
import type { Context } from "#server/context/context.ts";
import { type User, userMay } from "#server/identity/users.ts";
import { searchFor } from "#server/lessons/lessons.ts";

/** The first results of the lists' own searches, each if the actor's role may see its list. */
export async function searchAdministration(ctx: Context, actor: User, q: string): Promise<SearchResults> {
  const part = { search: q, limit: maxFound };
  const [people, purchases, hits] = await Promise.all([
    listUserRows(ctx.db, UserListQuery.parse(part), ctx.clock.now()),
    userMay(ctx, actor, "purchases:read")
      ? listPurchases(ctx, actor, PurchaseListQuery.parse(part))
      : Promise.resolve(null),
    searchFor(ctx, actor, q),
  ]);
  const lessons = hits.slice(0, maxFound).map(({ lessonId, title, moduleTitle }) => ({
    id: lessonId,
    title: title.map(({ text }) => text).join(""),
    moduleTitle,
  }));
  return { people, purchases, lessons };
}

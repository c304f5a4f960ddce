import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { maxSearchLength, plainText } from "./admin.ts";
import { AdminPurchase } from "./purchases.ts";
import { AdminUser } from "./users.ts";

/** The most results of each group. */
export const maxFound = 5;

export const SearchResults = z
  .object({
    people: z.array(AdminUser.pick({ id: true, email: true, firstName: true, lastName: true, accountStatus: true })),
    purchases: z
      .array(AdminPurchase.pick({ id: true, userName: true, planName: true, amount: true, createdAt: true }))
      .nullable()
      .describe("Null for a role that may not see purchases"),
    lessons: z.array(z.object({ id: z.string(), title: z.string(), moduleTitle: z.string() })),
  })
  .meta({ id: "AdminSearchResults" });
export type SearchResults = z.infer<typeof SearchResults>;

export const searchAdministration = endpoint({
  method: "GET",
  path: "/api/admin/search",
  summary: "People, purchases and lessons that a search finds, a few of each, as far as the caller's role may see them",
  permission: "people:read",
  query: z.strictObject({ q: plainText(maxSearchLength).min(1) }),
  reply: SearchResults,
});

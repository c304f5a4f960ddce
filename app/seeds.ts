import type { QueryClient } from "@tanstack/react-query";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { speakFor } from "./api/api.ts";
import { keyOf } from "./api/query.ts";
import { currentUserQuery } from "./identity/current-user.ts";

/** Fills the cache with the replies, by path, that the server put into the document (`server/first-page.ts`). They leave the document, where scripts of others could read them. */
export function plantSeeds(queryClient: QueryClient): void {
  const seeds = document.getElementById("seeds");
  seeds?.remove();
  for (const [path, reply] of Object.entries(JSON.parse(seeds?.textContent ?? "{}") as Record<string, unknown>)) {
    if (path !== getCurrentUser.path) queryClient.setQueryData(keyOf(path), reply);
    else {
      speakFor((reply as CurrentUser).id);
      queryClient.setQueryData(currentUserQuery.queryKey, reply as CurrentUser);
    }
  }
}

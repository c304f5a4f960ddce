import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { isBlocked } from "#app/access/is-blocked.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { useHydrated } from "#ui/browser-state.ts";
import { late } from "#ui/feedback/late.tsx";
import { resourcesQuery } from "./resource-queries.ts";

const [ResourceList] = late("the list of resources", () => import("./resource-list.tsx"));

/** The downloads of the current lesson. Renders nothing if there are none. */
export function LessonResources({ lessonId }: { lessonId: string }) {
  // Waits for hydration, because replies may arrive earlier than this part of the page hydrates.
  const isHydrated = useHydrated();
  const { user } = useCurrentUser();
  const { data, isError } = useQuery({ ...resourcesQuery, enabled: Boolean(user && !isBlocked(user)) });
  const resources = data?.filter((resource) => resource.lessonId === lessonId) ?? [];
  if (!isHydrated || (resources.length === 0 && !isError)) return null;
  return (
    <div className="grid gap-3">
      <h3 className="font-bold">Resources</h3>
      {isError ? (
        <p role="alert" className="text-danger">
          Failed to fetch resources
        </p>
      ) : (
        <Suspense>
          <ResourceList label="Resources of this lesson" resources={resources} />
        </Suspense>
      )}
    </div>
  );
}

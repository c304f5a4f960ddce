import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { askForOpening, listOpeningRequests, withdrawOpeningRequest } from "#contract/lesson-pages.ts";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";

const requestsQuery = queryOf(listOpeningRequests);

interface OpeningProps {
  lessonId: string;
  opensAt: string;
  /** Whether somebody is signed in, whom we can write to. */
  canAsk: boolean;
}

/** When the lesson opens, and a button for an email then. */
export default function Opening({ lessonId, opensAt, canAsk }: OpeningProps) {
  const queryClient = useQueryClient();
  const { data: requests } = useQuery({ ...requestsQuery, enabled: canAsk });
  const isAsked = requests?.some((one) => one.lessonId === lessonId) ?? false;
  const change = useMutation({
    mutationFn: () =>
      isAsked
        ? api(withdrawOpeningRequest, { params: { lessonId } })
        : api(askForOpening, { params: { lessonId }, body: {} }),
    onSuccess: (reply) => queryClient.setQueryData(requestsQuery.queryKey, reply),
    onError: (error) => toastFailure("Not Saved", error, "We couldn’t save your choice. Please try again."),
  });
  useEffect(() => {
    const wait = Date.parse(opensAt) - Date.now();
    // Browsers fire longer timers at once.
    if (wait > 2 ** 31 - 1) return;
    const timer = setTimeout(() => void queryClient.invalidateQueries(catalogueQuery), Math.max(1000, wait + 500));
    return () => clearTimeout(timer);
  }, [opensAt, queryClient]);
  return (
    <div className="grid justify-items-start gap-3">
      <p role="status">
        {isAsked
          ? `We’ll email you when it opens, ${formatTimestamp(opensAt)}.`
          : `It opens ${formatTimestamp(opensAt)}.`}
      </p>
      {requests && (
        <Button variant={isAsked ? "outline" : "tag"} pending={change.isPending} onClick={() => change.mutate()}>
          {isAsked ? "Don’t email me" : "Tell me when it opens"}
        </Button>
      )}
    </div>
  );
}

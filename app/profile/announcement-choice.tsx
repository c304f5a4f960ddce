import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { chooseAnnouncements } from "#contract/announcements.ts";
import { Card } from "#ui/card.tsx";
import { Checkbox } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { toast } from "#ui/toast/toast.ts";
import { announcementChoiceQuery } from "./profile-queries.ts";

/** The switch for announcements by email. */
export function AnnouncementChoice() {
  const queryClient = useQueryClient();
  const { data, isPending, refetch } = useQuery(announcementChoiceQuery);
  const choose = useMutation({
    mutationFn: (wanted: boolean) => api(chooseAnnouncements, { body: { wanted } }),
    onSuccess: (choice) => {
      queryClient.setQueryData(announcementChoiceQuery.queryKey, choice);
      toast({ title: choice.wanted ? "News turned on" : "News turned off" });
    },
    onError: (error) => toastFailure("Not Saved", error, "Try again."),
  });
  const wanted = choose.isPending ? choose.variables : (data?.wanted ?? true);
  return (
    <Card tone="raised">
      <section aria-labelledby="announcements-title" className="grid gap-4">
        <h2 id="announcements-title" className="font-bold text-heading">
          News
        </h2>
        {isPending ? (
          <PartLoading what="your choice" />
        ) : data ? (
          <Checkbox
            label="Send me news. You'll always get receipts and messages about your account."
            checked={wanted}
            disabled={choose.isPending}
            onChange={({ target }) => choose.mutate(target.checked)}
          />
        ) : (
          <PartFailed what="your choice" retry={refetch} />
        )}
      </section>
    </Card>
  );
}

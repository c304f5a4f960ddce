import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { type AnnouncementChoice as Choice, chooseAnnouncements } from "#contract/announcements.ts";
import { Card } from "#ui/card.tsx";
import { Checkbox } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { toast } from "#ui/toast/toast.ts";
import { announcementChoiceQuery } from "./profile-queries.ts";

/** The switches for optional emails. */
export function AnnouncementChoice() {
  const queryClient = useQueryClient();
  const { data, isPending, refetch } = useQuery(announcementChoiceQuery);
  const choose = useMutation({
    mutationFn: (body: Partial<Choice>) => api(chooseAnnouncements, { body }),
    onSuccess: (choice, { wanted }) => {
      queryClient.setQueryData(announcementChoiceQuery.queryKey, choice);
      const what = wanted === undefined ? "Emails about answers" : "News";
      toast({ title: (wanted ?? choice.answers) ? `${what} turned on` : `${what} turned off` });
    },
    onError: (error) => toastFailure("Not Saved", error, "Try again."),
  });
  const chosen = { wanted: true, answers: true, ...data, ...(choose.isPending && choose.variables) };
  const control = (name: keyof Choice) => ({
    checked: chosen[name],
    disabled: choose.isPending,
    onChange: ({ target }: { target: { checked: boolean } }) => choose.mutate({ [name]: target.checked }),
  });
  return (
    <Card tone="raised">
      <section aria-labelledby="announcements-title" className="grid gap-4">
        <h2 id="announcements-title" className="font-bold text-heading">
          News
        </h2>
        {isPending ? (
          <PartLoading what="your choice" />
        ) : data ? (
          <>
            <Checkbox
              label="Send me news and reminders. You'll always get receipts and messages about your account."
              {...control("wanted")}
            />
            <Checkbox label="Email me when somebody answers my question." {...control("answers")} />
          </>
        ) : (
          <PartFailed what="your choice" retry={refetch} />
        )}
      </section>
    </Card>
  );
}

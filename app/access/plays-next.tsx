import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { savePlayerChoices } from "#contract/player-choices.ts";
import { Checkbox } from "#ui/controls/field.tsx";
import { asksForLessMotion, playerChoicesQuery } from "./player-choices.ts";

/** The switch for autoplay of the next lesson. The server stores the choice, so it applies in every browser. */
export default function PlaysNext() {
  const queryClient = useQueryClient();
  const { data } = useQuery(playerChoicesQuery);
  const choose = useMutation({
    mutationFn: (playsNext: boolean) => api(savePlayerChoices, { body: { playsNext } }),
    onSuccess: (choices) => queryClient.setQueryData(playerChoicesQuery.queryKey, choices),
    onError: (error) => toastFailure("Not Saved", error, "Try again."),
  });
  if (!data) return null;
  const isStill = asksForLessMotion();
  return (
    <Checkbox
      className="print:hidden"
      label={
        isStill ? "Autoplay is off because your device is set to reduce motion" : "Play the next lesson automatically"
      }
      checked={!isStill && (choose.isPending ? choose.variables : data.playsNext)}
      disabled={isStill || choose.isPending}
      onChange={({ target }) => choose.mutate(target.checked)}
    />
  );
}

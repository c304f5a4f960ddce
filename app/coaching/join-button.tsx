import { useMutation } from "@tanstack/react-query";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import { Button } from "#ui/controls/button.tsx";

interface JoinButtonProps {
  /** What is joined, for the button's accessible name. */
  what: string;
  mayJoin: boolean;
  opensAt: string;
  zone: string;
  join: () => Promise<{ meetingUrl: string }>;
}

/** Asks the server for the meeting's URL once the session may be joined. The page itself never contains the URL. */
export function JoinButton({ what, mayJoin, opensAt, zone, join }: JoinButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: join,
    onSuccess: ({ meetingUrl }) => window.location.assign(meetingUrl),
    onError: (error) => toastFailure("You couldn't join yet", error, "Please try again in a minute."),
  });
  if (!mayJoin) {
    return <p className="text-ink-soft text-sm">You can join here from {timeInZone(opensAt, zone, new Date())}.</p>;
  }
  return (
    <Button variant="tag" size="large" pending={isPending} aria-label={`Join now: ${what}`} onClick={() => mutate()}>
      Join now
    </Button>
  );
}

import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { type Booking, contestBooking } from "#contract/coaching/coaching.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { toast } from "#ui/toast/toast.ts";
import { useRefreshCoaching } from "./coaching-queries.ts";

/** A form for objecting to how a session was marked. */
export function Contest({ booking }: { booking: Booking }) {
  const [isOpen, setIsOpen] = useResumable("contest", false);
  const [text, setText] = useResumable("contest-text", "");
  const refresh = useRefreshCoaching();
  const { frame, faults, isSending } = useForm({
    async send() {
      try {
        await api(contestBooking, { params: { id: booking.id }, body: { text: text.trim() } });
        toast({ title: "Message sent", description: "We'll look into it and email you." });
        setIsOpen(false);
      } finally {
        refresh();
      }
    },
    onFailed: (error) => toastFailure("Error", error, "We couldn't send the message. Please try again."),
  });
  return (
    <>
      <p>
        <Button variant="outline" size="small" onClick={() => setIsOpen(true)}>
          This is not what happened
        </Button>
      </p>
      <Dialog
        open={isOpen}
        onOpenChange={(open) => isSending || setIsOpen(open)}
        title="This is not what happened"
        description="Tell us what happened in a few words. We'll reply by email."
      >
        <form {...frame} className="grid gap-5">
          <Field label="What happened" name="text" error={faults.text}>
            <Textarea
              rows={4}
              required
              maxLength={2000}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </Field>
          <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <Button variant="outline" disabled={isSending} onClick={() => setIsOpen(false)}>
              Close
            </Button>
            <Button type="submit" pending={isSending} disabled={!text.trim()}>
              Send message
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

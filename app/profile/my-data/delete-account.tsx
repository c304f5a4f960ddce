import { useState } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { deleteUser } from "#contract/profile.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { Field, Input } from "#ui/controls/field.tsx";

/** Deletes the account permanently, after the user has typed its email address. */
export function DeleteAccount({ email, onDeleted }: { email: string; onDeleted: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const { frame, isSending } = useForm({
    async send() {
      setFailure(null);
      await api(deleteUser, { body: {} });
      onDeleted();
    },
    onFailed: (error) => setFailure(messageOf(error, "We couldn't delete your account. Try again in a moment.")),
  });
  const isConfirmed = typed.trim().toLowerCase() === email.toLowerCase();

  function open(): void {
    setTyped("");
    setFailure(null);
    setIsOpen(true);
  }

  return (
    <div className="grid justify-items-start gap-3 border-line border-t pt-5">
      <p className="text-ink-soft">
        Deleting your account ends your access and your membership right away. You can't undo it.
      </p>
      <Button variant="outline" onClick={open}>
        Delete my account
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={(isOpen) => isOpen || isSending || setIsOpen(false)}
        title="Delete your account?"
        description="Your membership ends, and we permanently delete your card, profile, progress, messages and sign-in. We must keep payment records, but without your name. You won't get a refund."
      >
        <form {...frame} className="grid gap-5">
          <Field label={`Type ${email} to confirm`} error={failure}>
            <Input
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <Button variant="outline" disabled={isSending} onClick={() => setIsOpen(false)}>
              Keep my account
            </Button>
            <Button type="submit" variant="danger" disabled={!isConfirmed} pending={isSending}>
              Delete permanently
            </Button>
          </div>
        </form>
      </Dialog>
    </div>
  );
}

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { isSignInAgain } from "#app/identity/sign-in-again.ts";
import { deleteUser } from "#contract/profile.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { SignInAgain } from "./sign-in-again.tsx";

type Step = "none" | "confirm" | "sign-in";

/** Deletes the account for good, once the person has typed its address. */
export function DeleteAccount({ email, onDeleted }: { email: string; onDeleted: () => void }) {
  const [step, setStep] = useState<Step>("none");
  const [typed, setTyped] = useState("");
  const remove = useMutation({
    mutationFn: () => api(deleteUser, { body: {} }),
    onSuccess: onDeleted,
    onError: (error) => isSignInAgain(error) && setStep("sign-in"),
  });
  const isConfirmed = typed.trim().toLowerCase() === email.toLowerCase();
  const failure = remove.error && messageOf(remove.error, "Your account could not be deleted. Try again in a moment.");

  function open(): void {
    setTyped("");
    remove.reset();
    setStep("confirm");
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isConfirmed && !remove.isPending) remove.mutate();
  }

  return (
    <div className="grid justify-items-start gap-3 border-line border-t pt-5">
      <p className="text-ink-soft">
        Deleting your account ends your access and your membership at once. It cannot be undone.
      </p>
      <Button variant="outline" onClick={open}>
        Delete my account
      </Button>
      <SignInAgain
        open={step === "sign-in"}
        onOpenChange={(isOpen) => isOpen || setStep("none")}
        purpose="delete your account"
      />
      <Dialog
        open={step === "confirm"}
        onOpenChange={(isOpen) => isOpen || remove.isPending || setStep("none")}
        title="Delete your account?"
        description="Your membership ends, your card is deleted, and your profile, progress, messages and sign-in are erased for good. Records of payments stay, without your name. Nothing is refunded by this."
      >
        <form onSubmit={submit} className="grid gap-5">
          <Field label={`Type ${email} to confirm`} error={failure}>
            <Input
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="outline" disabled={remove.isPending} onClick={() => setStep("none")}>
              Keep my account
            </Button>
            <Button type="submit" variant="danger" disabled={!isConfirmed} pending={remove.isPending}>
              Delete for good
            </Button>
          </div>
        </form>
      </Dialog>
    </div>
  );
}

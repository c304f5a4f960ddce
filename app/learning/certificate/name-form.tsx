import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { focusOnArrival } from "#app/profile/focus.ts";
import { correctCertificateName, issueCertificate, type OwnCertificate } from "#contract/certificates.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { toast } from "#ui/toast/toast.ts";
import { certificateQuery } from "./certificate-query.ts";

interface NameFormProps {
  /** The certificate whose name is corrected. Absent: it is issued. */
  printed?: NonNullable<OwnCertificate["certificate"]>;
  onDone: () => void;
}

/** Confirms the name, which is shown as it will be printed. */
export function NameForm({ printed, onDone }: NameFormProps) {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const [name, setName] = useState(printed?.name ?? [user?.firstName, user?.lastName].filter(Boolean).join(" "));
  const timesLeft = printed === undefined ? "twice later" : printed.corrections === 1 ? "once more" : "twice";
  const { frame, faults, isSending } = useForm({
    check: () => (name.trim() === "" ? { name: "Enter your name" } : {}),
    async send() {
      const body = { name };
      const own = await (printed === undefined
        ? api(issueCertificate, { body })
        : api(correctCertificateName, { body }));
      queryClient.setQueryData(certificateQuery.queryKey, own);
      toast({ title: printed === undefined ? "Your certificate is ready" : "Your name is corrected" });
      onDone();
    },
    onFailed(error, isShown) {
      if (!isShown) toastFailure("Your certificate wasn’t saved", error, "Try again in a moment.");
      void queryClient.invalidateQueries({ queryKey: certificateQuery.queryKey });
    },
  });
  return (
    <form {...frame} className="grid max-w-2xl gap-5">
      {printed === undefined && (
        <p className="max-w-[62ch] text-ink-soft">You’ve done everything. Check how your name will be printed.</p>
      )}
      <Field
        label="Your name on the certificate"
        name="name"
        hint={`You can correct it ${timesLeft}. The certificate’s page then lists the earlier name too.`}
        error={faults.name}
      >
        <Input
          ref={printed === undefined ? undefined : focusOnArrival}
          value={name}
          onChange={({ target }) => setName(target.value)}
          autoComplete="name"
          maxLength={200}
          dir="auto"
          readOnly={isSending}
          required
        />
      </Field>
      <div className="rounded-sm bg-tag p-5 text-tag-ink sm:p-6">
        <p className="font-bold text-sm">Certificate of completion</p>
        <p dir="auto" className="wide mt-1 min-h-10 text-title wrap-anywhere">
          {name.trim()}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={isSending}>
          {printed === undefined ? "Issue certificate" : "Correct name"}
        </Button>
        {printed !== undefined && (
          <Button variant="outline" disabled={isSending} onClick={onDone}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { api, isOutdated } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { KeptState } from "#app/editing/kept-state.tsx";
import { currentUserQuery } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { type ProfileChange, updateProfile } from "#contract/profile.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";
import { toast } from "#ui/toast/toast.ts";
import { focusOnArrival } from "./focus.ts";

/** The draft of the profile, which stays in this browser until it is saved or cancelled. */
export function useTypedProfile({ firstName, lastName, phone, location, bio, profileVersion }: CurrentUser) {
  const saved = {
    firstName: firstName ?? "",
    lastName: lastName ?? "",
    phone: phone ?? "",
    location: location ?? "",
    bio: bio ?? "",
    version: profileVersion,
  };
  return { saved, ...useKeptDraft("profile", saved) };
}

interface ProfileFormProps {
  email: string;
  typed: ReturnType<typeof useTypedProfile>;
  /** Whether the user just opened the form. */
  isAsked: boolean;
  /** Called after the user saves or cancels. */
  onDone: () => void;
}

/** The profile's form. */
export function ProfileForm({ email, typed, isAsked, onDone }: ProfileFormProps) {
  const { saved, value, isChanged, change, discard } = typed;
  const queryClient = useQueryClient();
  const { frame, faults, isSending, isConflict, show } = useForm({
    async send() {
      const { version, ...body } = value;
      const profile = await api(updateProfile, { query: { version }, body });
      // Cancels older requests, whose replies would undo the change on the page.
      await queryClient.cancelQueries({ queryKey: currentUserQuery.queryKey });
      queryClient.setQueryData(currentUserQuery.queryKey, profile);
      toast({ title: "Profile updated successfully" });
      done();
    },
    onFailed(error) {
      if (isOutdated(error)) void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      toastFailure("Failed to update profile", error, "Try again in a moment.");
    },
  });
  const control = (name: keyof ProfileChange) => ({
    name,
    value: value[name],
    readOnly: isSending,
    onChange: ({ target }: { target: { value: string } }) => change({ ...value, [name]: target.value }),
  });

  function done(): void {
    discard();
    onDone();
  }

  return (
    <form {...frame} aria-labelledby="edit-title" className="grid gap-5 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <h2 id="edit-title" className="wide text-heading">
          Edit Profile
        </h2>
        <KeptState isChanged={isChanged} />
      </div>
      <Field label="First Name" error={faults.firstName}>
        <Input
          {...control("firstName")}
          ref={isAsked ? focusOnArrival : undefined}
          autoComplete="given-name"
          maxLength={100}
        />
      </Field>
      <Field label="Last Name" error={faults.lastName}>
        <Input {...control("lastName")} autoComplete="family-name" maxLength={100} />
      </Field>
      <Field label="Email" hint="Email cannot be changed. Contact support if needed." className="sm:col-span-2">
        <Input type="email" value={email} readOnly autoComplete="email" />
      </Field>
      <Field label="Phone" error={faults.phone}>
        <Input {...control("phone")} type="tel" autoComplete="tel" maxLength={40} />
      </Field>
      <Field label="Location" error={faults.location}>
        <Input {...control("location")} maxLength={200} />
      </Field>
      <Field label="Bio" error={faults.bio} className="sm:col-span-2">
        <Textarea {...control("bio")} rows={5} maxLength={2000} />
      </Field>
      <div className="empty:hidden sm:col-span-2">
        <ChangedMeanwhile
          form={{
            ...{ value, saved, isConflict },
            change: (changes) => change({ ...value, ...changes }),
            discard() {
              discard();
              show({});
            },
          }}
        />
      </div>
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" pending={isSending}>
          Save Changes
        </Button>
        <Button variant="outline" disabled={isSending} onClick={done}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

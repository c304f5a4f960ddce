import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { currentUserQuery } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { type ProfileChange, updateProfile } from "#contract/profile.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";
import { toast } from "#ui/toast/toast.ts";
import { focusOnArrival } from "./focus.ts";

interface ProfileFormProps {
  user: CurrentUser;
  /** The person saved or cancelled. */
  onDone: () => void;
}

/** The profile to change. What was typed stays until the server has taken it or the person cancels. */
export function ProfileForm({ user, onDone }: ProfileFormProps) {
  const queryClient = useQueryClient();
  const { frame, faults, isSending } = useForm({
    async send(typed) {
      const saved = await api(updateProfile, { body: typed as ProfileChange });
      // A reply from before the change would undo it on the screen.
      await queryClient.cancelQueries({ queryKey: currentUserQuery.queryKey });
      queryClient.setQueryData(currentUserQuery.queryKey, saved);
      toast({ title: "Profile updated successfully" });
      onDone();
    },
    onFailed: (error) => toastFailure("Failed to update profile", error, "Try again in a moment."),
  });
  const control = (name: keyof ProfileChange) => ({
    name,
    defaultValue: user[name] ?? "",
    readOnly: isSending,
  });

  return (
    <form {...frame} aria-labelledby="edit-title" className="grid gap-5 sm:grid-cols-2">
      <h2 id="edit-title" className="wide text-heading sm:col-span-2">
        Edit Profile
      </h2>
      <Field label="First Name" error={faults.firstName}>
        <Input {...control("firstName")} ref={focusOnArrival} autoComplete="given-name" maxLength={100} />
      </Field>
      <Field label="Last Name" error={faults.lastName}>
        <Input {...control("lastName")} autoComplete="family-name" maxLength={100} />
      </Field>
      <Field label="Email" hint="Email cannot be changed. Contact support if needed." className="sm:col-span-2">
        <Input type="email" value={user.email} readOnly autoComplete="email" />
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
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" pending={isSending}>
          Save Changes
        </Button>
        <Button variant="outline" disabled={isSending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

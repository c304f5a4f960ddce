import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { ApiError, api } from "#app/api/api.ts";
import { currentUserQuery } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { type ProfileChange, updateProfile } from "#contract/profile.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";
import { toast } from "#ui/toast/toast.ts";
import { focusOnArrival } from "./focus.ts";

const fields = ["firstName", "lastName", "phone", "location", "bio"] as const;
type FieldName = (typeof fields)[number];
type Faults = Partial<Record<FieldName, string>>;

interface ProfileFormProps {
  user: CurrentUser;
  /** The person saved or cancelled. */
  onDone: () => void;
}

/** The profile to change. What was typed stays until the server has taken it or the person cancels. */
export function ProfileForm({ user, onDone }: ProfileFormProps) {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => changeOf(user));
  const [faults, setFaults] = useState<Faults>({});
  const [isSaving, setIsSaving] = useState(false);

  function change(field: FieldName, value: string): void {
    setValues((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _, ...others }) => others);
  }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSaving) return;
    setIsSaving(true);
    try {
      const saved = await api(updateProfile, { body: values });
      // A reply from before the change would undo it on the screen.
      await queryClient.cancelQueries({ queryKey: currentUserQuery.queryKey });
      queryClient.setQueryData(currentUserQuery.queryKey, saved);
      toast({ title: "Profile updated successfully" });
      onDone();
    } catch (error) {
      const found = faultsIn(error);
      setFaults(found);
      setIsSaving(false);
      toastFailure("Failed to update profile", error, "Try again in a moment.");
      const first = fields.find((field) => found[field]);
      if (first) (form.current?.elements.namedItem(first) as HTMLElement | null)?.focus();
    }
  }

  const control = (name: FieldName) => ({
    name,
    value: values[name],
    readOnly: isSaving,
    onChange: (event: { target: { value: string } }) => change(name, event.target.value),
  });

  return (
    <form ref={form} noValidate onSubmit={save} aria-labelledby="edit-title" className="grid gap-5 sm:grid-cols-2">
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
        <Button type="submit" pending={isSaving}>
          Save Changes
        </Button>
        <Button variant="outline" disabled={isSaving} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function changeOf({ firstName, lastName, phone, location, bio }: CurrentUser): ProfileChange {
  return {
    firstName: firstName ?? "",
    lastName: lastName ?? "",
    phone: phone ?? "",
    location: location ?? "",
    bio: bio ?? "",
  };
}

/** The first sentence of each field that the server refused the change for. */
function faultsIn(error: unknown): Faults {
  const errors = error instanceof ApiError ? (error.problem?.errors ?? {}) : {};
  const faults: Faults = {};
  for (const field of fields) {
    const sentence = errors[field]?.[0];
    if (sentence) faults[field] = sentence;
  }
  return faults;
}

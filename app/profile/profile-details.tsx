import { cx } from "class-variance-authority";
import { fullNameOf } from "#app/identity/current-user.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { Button } from "#ui/controls/button.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { focusOnArrival } from "./focus.ts";
import { ProfilePicture } from "./profile-picture.tsx";

interface ProfileDetailsProps {
  user: CurrentUser;
  /** Whether this replaces the form that the user just closed. */
  isEdited: boolean;
  onEdit: () => void;
}

/** The profile, read-only. */
export function ProfileDetails({ user, isEdited, onEdit }: ProfileDetailsProps) {
  const fullName = fullNameOf(user);
  return (
    <section aria-labelledby="person-title">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4 border-line border-b pb-6">
        <ProfilePicture user={user} name={fullName}>
          <h2 id="person-title" className="wide text-heading wrap-anywhere">
            {fullName}
          </h2>
          <p className="mt-1 text-balance text-ink-soft text-sm">Member since {formatDay(user.createdAt)}</p>
        </ProfilePicture>
        <Button ref={isEdited ? focusOnArrival : undefined} onClick={onEdit}>
          Edit Profile
        </Button>
      </div>
      <dl className="mt-6 grid gap-x-6 gap-y-6 sm:grid-cols-2">
        <Detail name="First Name" value={user.firstName} />
        <Detail name="Last Name" value={user.lastName} />
        <Detail name="Email" value={user.email} className="sm:col-span-2" />
        <Detail name="Phone" value={user.phone} />
        <Detail name="Location" value={user.location} />
        <Detail name="Bio" value={user.bio} className="whitespace-pre-line sm:col-span-2" />
      </dl>
    </section>
  );
}

function Detail({ name, value, className }: { name: string; value: string | null; className?: string }) {
  return (
    <div className={cx("min-w-0", className)}>
      <dt className="printed text-ink-soft">{name}</dt>
      <dd className={cx("wrap-anywhere mt-1", !value && "text-ink-soft")}>{value ?? "Not provided"}</dd>
    </div>
  );
}

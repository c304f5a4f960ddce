import { useQuery } from "@tanstack/react-query";
import { api, messageOf } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { changeRole, inviteToTeam, previewRole, RoleAssignment, type RoleChange } from "#contract/admin/team.ts";
import { type Permission, permissions } from "#contract/permissions.ts";
import { roleLabels, type StaffRole, staffRoles } from "#contract/roles.ts";
import { useActForm } from "../act-form.ts";
import { FormDialog } from "../form-dialog.tsx";

interface RoleDialogProps {
  email: string;
  /** The person's role. Null if there is none, or if it is not known. */
  current: StaffRole | null;
  /** The preselected role. */
  first: StaffRole;
  onClose: () => void;
}

/** The preview shows which role it changes. */
const Chosen = RoleAssignment.omit({ from: true });

/** Shows which permissions another role adds and removes, before it is given or taken. */
export function RoleDialog({ email, current, first, onClose }: RoleDialogProps) {
  const form = useActForm(Chosen, {
    about: `role of ${email}`,
    saved: { to: first, reason: "" },
    async send({ to, reason }) {
      if (to && isInvited) {
        await api(inviteToTeam, { body: { email, role: to, reason } });
        return "Invitation sent";
      }
      const body = { from: data?.from ?? null, to, reason };
      await api(changeRole, { params: { userId: data?.userId ?? "" }, body });
      return to ? `Role given: ${roleLabels[to]}` : "Role removed";
    },
    words: {
      done: (said) => said,
      get failed(): string {
        return to && isInvited ? "Failed to invite" : "Failed to change the role";
      },
    },
    onDone: onClose,
  });
  const { to } = form.value;
  const { data, error } = useQuery({
    // Not below "admin": after the change, the server would refuse to preview it.
    queryKey: ["role-change", email, to],
    gcTime: 0,
    queryFn: ({ signal }) => api(previewRole, { query: { email, to: to ?? "none" }, signal }),
    enabled: to !== current,
  });
  const name = data?.name ?? email;
  const isInvited = data?.userId === null;
  return (
    <FormDialog
      form={form}
      title={`Role of ${name}`}
      description={`${name === email ? "" : `${email}. `}We email the person and the owners.`}
      confirm={to ? `${isInvited ? "Invite as" : "Make"} ${roleLabels[to]}` : "Remove role"}
      isDangerous={!to}
      isReasonRequired
      isIncomplete={!data || to === current}
      onClose={onClose}
    >
      <FormField
        form={form}
        name="to"
        label="Role"
        options={[...staffRoles.map((role) => [role, roleLabels[role]] as const), ["", "No role"]]}
      />
      <div aria-live="polite" className="min-h-24 rounded-sm bg-sunken p-4 text-sm">
        {data && to !== current ? (
          <Preview change={data} />
        ) : (
          <p>
            {to === current
              ? "Choose another role."
              : error
                ? messageOf(error, "The preview didn’t load. Try again in a moment.")
                : "Loading the changes"}
          </p>
        )}
      </div>
    </FormDialog>
  );
}

function Preview({ change: { userId, from, to, gains, loses, endsSessions } }: { change: RoleChange }) {
  return (
    <div className="grid gap-3">
      {userId === null ? (
        <p>
          No account has confirmed this address yet. We’ll <strong>send an invitation by email</strong>. The role starts
          when the person confirms the address and accepts within 7 days.
        </p>
      ) : (
        <p>
          Now: <strong>{from ? roleLabels[from] : "no role"}</strong>. Then:{" "}
          <strong>{to ? roleLabels[to] : "no role"}</strong>.
          {endsSessions && " This signs the person out everywhere. They sign in again to use the role."}
        </p>
      )}
      <Changes title="Can now" of={gains} />
      <Changes title="Can no longer" of={loses} />
    </div>
  );
}

function Changes({ title, of }: { title: string; of: readonly Permission[] }) {
  if (of.length === 0) return null;
  return (
    <div>
      <h3 className="font-bold">{title}</h3>
      <ul className="mt-1 list-disc gap-x-8 pl-5 sm:columns-2">
        {of.map((permission) => (
          <li key={permission}>{permissions[permission]}</li>
        ))}
      </ul>
    </div>
  );
}

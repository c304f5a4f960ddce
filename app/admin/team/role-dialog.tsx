import { useQuery } from "@tanstack/react-query";
import { ApiError, api } from "#app/api/api.ts";
import { useResumable } from "#app/identity/resumable.ts";
import { changeRole, inviteToTeam, previewRole, type RoleChange } from "#contract/admin/team.ts";
import { type Permission, permissions } from "#contract/permissions.ts";
import { roleLabels, type StaffRole, staffRoles } from "#contract/roles.ts";
import { Field, Select } from "#ui/controls/field.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

interface RoleDialogProps {
  email: string;
  /** The person's role. Null if there is none, or if it is not known. */
  current: StaffRole | null;
  /** The preselected role. */
  first: StaffRole;
  onClose: () => void;
}

/** Shows which permissions another role adds and removes, before it is given or taken. */
export function RoleDialog({ email, current, first, onClose }: RoleDialogProps) {
  const [to, setTo] = useResumable<StaffRole | null>("role-chosen", first);
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
    <ReasonDialog
      title={`Role of ${name}`}
      description={`${name === email ? "" : `${email}. `}The person and the owners are told by mail.`}
      confirm={to ? `${isInvited ? "Invite as" : "Make"} ${roleLabels[to]}` : "Take the role"}
      isDangerous={!to}
      isReasonRequired
      isIncomplete={!data || to === current}
      act={(reason = "") => {
        if (to && isInvited) return api(inviteToTeam, { body: { email, role: to, reason } });
        const body = { from: data?.from ?? null, to, reason };
        return api(changeRole, { params: { userId: data?.userId ?? "" }, body });
      }}
      words={
        isInvited
          ? { done: "Invitation sent", failed: "Failed to invite" }
          : { done: to ? `Role given: ${roleLabels[to]}` : "Role taken", failed: "Failed to change the role" }
      }
      onClose={onClose}
    >
      <Field label="Role">
        <Select
          value={to ?? "none"}
          onChange={({ target }) => setTo(staffRoles.find((r) => r === target.value) ?? null)}
        >
          {staffRoles.map((role) => (
            <option key={role} value={role}>
              {roleLabels[role]}
            </option>
          ))}
          <option value="none">No role</option>
        </Select>
      </Field>
      <div aria-live="polite" className="min-h-24 rounded-sm bg-sunken p-4 text-sm">
        {data && to !== current ? (
          <Preview change={data} />
        ) : (
          <p>{to === current ? "Choose another role." : error ? messageOf(error) : "Looking what changes"}</p>
        )}
      </div>
    </ReasonDialog>
  );
}

function Preview({ change: { userId, from, to, gains, loses, endsSessions } }: { change: RoleChange }) {
  return (
    <div className="grid gap-3">
      {userId === null ? (
        <p>
          No account has confirmed this address yet. It is <strong>invited by mail</strong>, and the role begins when
          the person has confirmed it and accepts, within 7 days.
        </p>
      ) : (
        <p>
          Now: <strong>{from ? roleLabels[from] : "no role"}</strong>. Then:{" "}
          <strong>{to ? roleLabels[to] : "no role"}</strong>.
          {endsSessions && " The person is signed out everywhere and signs in again to use it."}
        </p>
      )}
      <Changes title="May from then on" of={gains} />
      <Changes title="May no longer" of={loses} />
    </div>
  );
}

function Changes({ title, of }: { title: string; of: readonly Permission[] }) {
  if (of.length === 0) return null;
  return (
    <div>
      <h3 className="font-bold">{title}</h3>
      <p className="text-ink-soft">{of.map((permission) => permissions[permission]).join("; ")}</p>
    </div>
  );
}

function messageOf(error: Error): string {
  const said = error instanceof ApiError ? error.problem?.message : undefined;
  return said ?? "The preview did not load. Try again in a moment.";
}

import { useState } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { useMay } from "#app/identity/may.tsx";
import {
  type Invitation,
  type InvitationFilter,
  invite,
  listInvitations,
  NewInvitation,
  revokeInvitation,
} from "#contract/admin/invitations.ts";
import { academy } from "#ui/academy.ts";
import { Badge } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { useActForm } from "./act-form.ts";
import { AdminPage } from "./admin-page.tsx";
import { InvitationState, Invited, TakeBack } from "./invitation-cells.tsx";
import { firstPageOf, ListFilters, ListTable, useAdminList } from "./list.tsx";
import { Panel } from "./panel.tsx";
import { TierBadge } from "./words.tsx";

/** The people invited by email, with or without a plan, and whether they accepted. */
export default function InvitationsPage() {
  return (
    <AdminPage
      title="Invitations"
      description="People invited by email, for administrators."
      lead="Each invitation can be accepted once, within 30 days, by the person who confirms its address."
      actions={<ImportLink />}
    >
      <div className="grid gap-6">
        <InviteForm />
        <Invitations />
      </div>
    </AdminPage>
  );
}

function ImportLink() {
  return useMay("people:many") ? (
    <Link to="/admin/imports" className={buttonStyle({ variant: "outline" })}>
      Import students
    </Link>
  ) : null;
}

InvitationsPage.queries = () => [firstPageOf(listInvitations)];

function InviteForm() {
  // The next person is often invited to the same plan.
  const [tier, setTier] = useState<Invitation["tier"]>(null);
  const form = useActForm(NewInvitation, {
    kept: "invitation",
    saved: { email: "", tier },
    send: (body) => api(invite, { body }),
    words: { done: "Invitation sent", failed: "Failed to invite" },
    onDone() {
      setTier(form.value.tier);
      form.frame.ref.current?.querySelector("input")?.focus();
    },
  });
  return (
    <Panel title="Invite someone">
      <form {...form.frame} className="grid items-start gap-5 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto]">
        <FormField form={form} name="email" label="Email" autoComplete="off" />
        <FormField
          form={form}
          name="tier"
          label="Plan"
          options={[["", "No plan"], ...Object.entries(academy().planNames)]}
        />
        <Button type="submit" className="md:mt-6.5" pending={form.isSending}>
          Invite
        </Button>
      </form>
    </Panel>
  );
}

const columns: readonly Column<Invitation>[] = [
  {
    key: "email",
    label: "Address",
    wide: true,
    cell: ({ email, author }) => <Invited email={email}>{author}</Invited>,
  },
  { key: "tier", label: "Plan", cell: ({ tier }) => <TierBadge tier={tier} /> },
  {
    key: "state",
    label: "State",
    cell: ({ acceptedAt, sentAt }) =>
      acceptedAt ? <Badge tone="success">Accepted</Badge> : <InvitationState sentAt={sentAt} />,
  },
  { key: "expires", label: "Expires", cell: ({ expiresAt }) => formatShortDay(expiresAt) },
  {
    key: "actions",
    label: "",
    cell: ({ id, email, acceptedAt }) =>
      acceptedAt ? null : <TakeBack email={email} revoke={() => api(revokeInvitation, { params: { id }, body: {} })} />,
  },
];

function Invitations() {
  const mayImport = useMay("people:many");
  const list = useAdminList<Invitation, InvitationFilter>({
    endpoint: listInvitations,
    label: "Invitations",
    what: "invitations",
    fields: { search: { search: "Search email" } },
    columns,
  });
  return (
    <div>
      {mayImport && (
        <p className="mb-4 text-ink-soft text-sm">
          Imported students aren’t listed here. See{" "}
          <Link to="/admin/imports" className="text-ink underline underline-offset-4">
            Import students
          </Link>
          .
        </p>
      )}
      {(Boolean(list.total) || list.values.search) && <ListFilters list={list} />}
      <ListTable list={list} empty={list.values.search ? undefined : "No invitations yet"} />
    </div>
  );
}

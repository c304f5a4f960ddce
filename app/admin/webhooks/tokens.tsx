import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { createToken, listTokens, mostTokens, revokeToken, type Token, TokenTerms } from "#contract/admin/tokens.ts";
import { tokenScopes } from "#contract/token-scopes.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatShortDay, formatTimestamp } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { useActForm } from "../act-form.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { RowActions } from "../row-actions.tsx";
import { Part } from "./part.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { Ticks } from "./ticks.tsx";

export function Tokens() {
  const [isAdding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<Token | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const list = useQuery(queryOf(listTokens));
  const isFull = (list.data?.filter(({ state }) => state !== "expired").length ?? 0) >= mostTokens;
  return (
    <Part
      title="Tokens"
      action={
        <Button disabled={isFull} onClick={() => setAdding(true)}>
          New token
        </Button>
      }
    >
      {list.isPending && <PartLoading what="tokens" />}
      {list.isError && <PartFailed what="tokens" retry={list.refetch} isRetrying={list.isRefetching} />}
      {list.data?.length === 0 && (
        <p className="text-ink-soft">
          No tokens yet. Create one for each tool, so that you can revoke it without touching the others.
        </p>
      )}
      {list.data && list.data.length > 0 && (
        <Table caption="Tokens" columns={columnsOf(setRevoked)} rows={list.data} rowKey={({ id }) => id} />
      )}
      {isFull && <p className="mt-4 text-ink-soft text-sm">You can have up to {mostTokens} tokens.</p>}
      {isAdding && <TokenDialog onClose={() => setAdding(false)} onToken={setSecret} />}
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(null)} />}
      {secret && (
        <SecretDialog
          title="Your new token"
          description="Copy it into your tool now. We can’t show it again. Anyone who has it can use it."
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Part>
  );
}

function columnsOf(onRevoke: (token: Token) => void): Column<Token>[] {
  return [
    {
      key: "name",
      label: "Name",
      wide: true,
      cell: ({ name, creatorName, createdAt, state }) => (
        <>
          <span className={state === "active" ? "font-semibold wrap-anywhere" : "text-ink-soft wrap-anywhere"}>
            {name}
          </span>
          <span className="block text-fine text-ink-soft">
            Created by {creatorName} on {formatShortDay(createdAt)}
          </span>
        </>
      ),
    },
    {
      key: "scopes",
      label: "Permissions",
      cell: ({ scopes }) => (
        <ul className="grid gap-1 text-fine @4xl:w-64 @4xl:whitespace-normal">
          {scopes.map((scope) => (
            <li key={scope}>{tokenScopes[scope]}</li>
          ))}
        </ul>
      ),
    },
    {
      key: "expires",
      label: "Expires",
      cell: ({ state, expiresAt }) =>
        state === "expired" ? (
          <Badge tone="plain">Expired {formatShortDay(expiresAt)}</Badge>
        ) : state === "stopped" ? (
          <Badge tone="danger">Stopped: its creator isn’t an owner</Badge>
        ) : (
          formatShortDay(expiresAt)
        ),
    },
    {
      key: "used",
      label: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt ? formatTimestamp(lastUsedAt) : "Never"),
    },
    {
      key: "actions",
      label: "",
      cell: (token) => (
        <RowActions
          of={token.name}
          actions={[{ label: "Revoke", isDangerous: true, onPress: () => onRevoke(token) }]}
          isOpen
        />
      ),
    },
  ];
}

function TokenDialog({ onClose, onToken }: { onClose: () => void; onToken: (token: string) => void }) {
  const form = useActForm(TokenTerms, {
    kept: "token",
    saved: { name: "", scopes: [], expiresInDays: 90 },
    asks: { name: "Enter a name." },
    send: (body) => api(createToken, { body }),
    words: { done: "Token created", failed: "We couldn’t create the token" },
    onDone({ token }) {
      onClose();
      onToken(token);
    },
  });
  return (
    <FormDialog
      form={form}
      title="New token"
      description="The token acts as you, but only with the permissions you select. It stops working if you’re no longer an owner."
      confirm="Create token"
      onClose={onClose}
    >
      <FormField
        form={form}
        name="name"
        label="Name"
        hint="The tool that will use it, such as Zapier. The audit log shows this name."
        autoComplete="off"
      />
      <Ticks form={form} name="scopes" legend="Permissions" groups={{ "": tokenScopes }} />
      <FormField form={form} name="expiresInDays" label="Days until it expires" hint="Up to 365." />
    </FormDialog>
  );
}

function RevokeDialog({ token: { id, name }, onClose }: { token: Token; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Revoke “${name}”?`}
      description="The tool that uses it can’t read or change anything here anymore. You can’t undo this."
      confirm="Revoke token"
      isDangerous
      act={() => api(revokeToken, { params: { id } })}
      words={{ done: "Token revoked", failed: "We couldn’t revoke the token" }}
      goneId={id}
      onClose={onClose}
    />
  );
}

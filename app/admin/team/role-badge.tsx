import { type Role, roleLabels } from "#contract/roles.ts";
import { Badge } from "#ui/badge.tsx";

export function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge tone={role === "owner" ? "ink" : role === "administrator" ? "kraft" : "plain"}>{roleLabels[role]}</Badge>
  );
}

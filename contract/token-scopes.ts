import type { ExportedList } from "./admin/admin.ts";
import type { Permission } from "./permissions.ts";

/** What a token of another tool may do, each worded as a label. */
export const tokenScopes = {
  "read:people": "See students: names, addresses, plans and progress",
  "read:money": "See purchases, buyers and revenue",
  "read:learning": "See how the course is watched, without names",
  "write:grants": "Give students access to the course",
} as const;
export type TokenScope = keyof typeof tokenScopes;
export const tokenScopeNames = Object.keys(tokenScopes) as [TokenScope, ...TokenScope[]];

/** The permissions that tokens have at all. */
const scopeOfPermission: Readonly<Partial<Record<Permission, TokenScope>>> = {
  "people:read": "read:people",
  "purchases:read": "read:money",
  "money:read": "read:money",
  "learning:read": "read:learning",
};

/** Whether a token with these scopes may read what needs the permission. */
export function scopesInclude(scopes: readonly TokenScope[], permission: Permission): boolean {
  const scope = scopeOfPermission[permission];
  return scope !== undefined && scopes.includes(scope);
}

/** The scope by which a token may use the endpoint: that of its permission for a GET, else the one that it names; null: none. */
export function tokenScopeOf({
  method,
  permission,
  tokenScope,
}: {
  readonly method: string;
  readonly permission?: Permission;
  readonly tokenScope?: TokenScope | null;
}): TokenScope | null {
  if (tokenScope !== undefined) return tokenScope;
  return method === "GET" && permission ? (scopeOfPermission[permission] ?? null) : null;
}

/** The scope to download a list; tokens download no others. */
export const exportScopes: Readonly<Partial<Record<ExportedList, TokenScope>>> = {
  users: "read:people",
  purchases: "read:money",
  money: "read:money",
  "sign-ups": "read:money",
  funnel: "read:money",
  retention: "read:money",
  value: "read:money",
  learning: "read:learning",
};

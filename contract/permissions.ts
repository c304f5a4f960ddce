import { type Role, roles } from "./roles.ts";

/** Each permission, worded to complete the sentence "Your role may not …". */
export const permissions = {
  "people:read": "see people",
  "people:write": "write to people and take notes on them",
  "people:see-as": "see the academy as a student",
  "people:hold": "hold, suspend or reactivate accounts",
  "people:delete": "delete accounts and messages",
  "people:export": "download lists",
  "people:many": "act on many people at once",
  "access:give": "give or change access",
  "messages:answer": "read and answer messages",
  "questions:answer": "answer and moderate questions",
  "purchases:read": "see purchases",
  "renewals:stop": "stop renewals",
  "purchases:refund": "send money back",
  "money:read": "see the academy's money",
  "money:settle": "repair the books or try payments",
  "prices:write": "change plans, prices and coupons",
  "content:write": "change what is taught and what the pages say",
  "announcements:send": "write announcements",
  "learning:read": "see how students learn",
  "coaching:read": "see coaching",
  "coaching:book": "book and move sessions for students",
  "coaching:manage": "choose coaches and set group sessions",
  "sessions:hold": "hold coaching sessions",
  "settings:write": "change the settings",
  "operations:read": "see the checklist",
  "audit:read": "read the audit log",
  "team:read": "see the team",
  "team:write": "give and take roles",
} as const;
export type Permission = keyof typeof permissions;

const ofSupport = [
  "people:read",
  "people:write",
  "people:hold",
  "messages:answer",
  "questions:answer",
  "purchases:read",
  "renewals:stop",
  "coaching:read",
  "coaching:book",
] as const satisfies readonly Permission[];

const ofAdministrators = [
  ...ofSupport,
  "people:see-as",
  "people:delete",
  "people:export",
  "people:many",
  "access:give",
  "purchases:refund",
  "money:read",
  "money:settle",
  "prices:write",
  "content:write",
  "announcements:send",
  "learning:read",
  "coaching:manage",
  "operations:read",
  "audit:read",
  "team:read",
] as const satisfies readonly Permission[];

/** The single table of roles and permissions. Endpoints name a permission; no other code checks a role. */
const table: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set<Permission>([...ofAdministrators, "settings:write", "team:write"]),
  administrator: new Set<Permission>(ofAdministrators),
  support: new Set<Permission>(ofSupport),
  coach: new Set<Permission>(["sessions:hold", "questions:answer"]),
};

/** The value of `isAdmin`. */
export function isAdministration(role: Role | null): boolean {
  return role === "owner" || role === "administrator";
}

export function roleMay(role: Role | null, permission: Permission): boolean {
  return role !== null && table[role].has(permission);
}

export function listRolesThatMay(permission: Permission): Role[] {
  return roles.filter((role) => roleMay(role, permission));
}

/** "Your role, support, may not send money back." */
export function mayNotSentence(role: Role, permission: Permission): string {
  return `Your role, ${role}, may not ${permissions[permission]}.`;
}

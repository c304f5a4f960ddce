import Fastify from "fastify";
import { expect, test } from "vitest";
import { listRolesThatMay, type Permission, permissions, roleMay } from "#contract/permissions.ts";
import type { Context } from "#server/context/context.ts";
import { requirePermission } from "./guards.ts";

test("a route of the team without a permission keeps the server from starting [Z20]", () => {
  const scope = Fastify();
  requirePermission(scope, {} as Context, { roleOf: () => "owner", refusal: "" });
  scope.get("/guarded", { config: { permission: "money:read" } }, async () => null);
  expect(() => scope.get("/forgotten", async () => null)).toThrow("GET /forgotten says no permission");
});

test("owners may do everything but hold sessions, which belongs to those who coach", () => {
  const all = Object.keys(permissions) as Permission[];
  expect(all.filter((permission) => !roleMay("owner", permission))).toEqual(["sessions:hold"]);
  expect(listRolesThatMay("sessions:hold")).toEqual(["coach"]);
});

test("a more powerful role of the team may do all that a less powerful one may, and coaches the least [Z20]", () => {
  const all = Object.keys(permissions) as Permission[];
  const [ofSupport, ofAdministrator] = (["support", "administrator"] as const).map((role) =>
    all.filter((permission) => roleMay(role, permission)),
  );
  expect(ofAdministrator).toEqual(expect.arrayContaining(ofSupport ?? []));
  expect(all.filter((permission) => roleMay("coach", permission)).sort()).toEqual([
    "questions:answer",
    "sessions:hold",
  ]);
});

test("what moves money out, changes prices or gives rights is not for support [Z20]", () => {
  const forbidden: Permission[] = [
    ...(["purchases:refund", "money:read", "money:settle", "prices:write", "access:give"] as const),
    ...(["people:delete", "people:export", "content:write", "settings:write", "team:write", "audit:read"] as const),
  ];
  expect(forbidden.filter((permission) => roleMay("support", permission))).toEqual([]);
  expect(forbidden.filter((permission) => roleMay("coach", permission) || roleMay(null, permission))).toEqual([]);
});

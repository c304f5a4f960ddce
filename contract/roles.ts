import { z } from "zod";

/** From the one that may do most to the one that may do least. */
export const roles = ["owner", "administrator", "support", "coach"] as const;
export const Role = z.enum(roles).meta({ id: "Role" });
export type Role = z.infer<typeof Role>;

/** Who coaches has it by the coach's record; the account carries one of these. */
export const staffRoles = ["owner", "administrator", "support"] as const;
export const StaffRole = z.enum(staffRoles).meta({ id: "StaffRole" });
export type StaffRole = z.infer<typeof StaffRole>;

export const roleLabels: Readonly<Record<Role, string>> = {
  owner: "Owner",
  administrator: "Administrator",
  support: "Support",
  coach: "Coach",
};

import { z } from "zod";

/** From the most powerful to the least. */
export const roles = ["owner", "administrator", "support", "coach"] as const;
export const Role = z.enum(roles).meta({ id: "Role" });
export type Role = z.infer<typeof Role>;

/** The roles of an account. Coaches are those with a row in `coaches`. */
export const staffRoles = ["owner", "administrator", "support"] as const;
export const StaffRole = z.enum(staffRoles).meta({ id: "StaffRole" });
export type StaffRole = z.infer<typeof StaffRole>;

export const roleLabels: Readonly<Record<Role, string>> = {
  owner: "Owner",
  administrator: "Administrator",
  support: "Support",
  coach: "Coach",
};

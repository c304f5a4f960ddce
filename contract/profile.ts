import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { CurrentUser } from "./identity.ts";

const text = (longest: number) => z.string().trim().max(longest, `At most ${longest} characters`);

/** The five fields that a person may change; the e-mail address belongs to the sign-in. An empty text clears a field. */
export const ProfileChange = z.strictObject({
  firstName: text(100),
  lastName: text(100),
  phone: text(40).regex(/^$|^[+]?[\d\s().\-/]{4,}(\s*(x|ext\.?)\s*\d{1,8})?$/i, "Invalid phone number"),
  location: text(200),
  bio: text(2000),
});
export type ProfileChange = z.infer<typeof ProfileChange>;

export const updateProfile = endpoint({
  method: "PUT",
  path: "/api/user/profile",
  summary: "Changes the signed-in person's own profile",
  body: ProfileChange,
  reply: CurrentUser,
});

import { z } from "zod";
import { asTyped } from "./as-typed.ts";
import { endpoint } from "./endpoint.ts";
import { CurrentUser } from "./identity/identity.ts";
import { notPlain, plainLine } from "./line.ts";
import { MadeFrom } from "./version.ts";

const text = (maxLength: number) => z.string().trim().max(maxLength, `Use ${maxLength} characters or fewer`);

/** The five fields that users may change. The email address belongs to the sign-in. An empty string clears a field. */
export const ProfileChange = z.strictObject({
  firstName: text(100).regex(plainLine, notPlain),
  lastName: text(100).regex(plainLine, notPlain),
  // No part may match in two ways: backtracking on a long text would take minutes.
  phone: z
    .string()
    .overwrite(asTyped)
    .trim()
    .max(40, "Use 40 characters or fewer")
    .regex(/^$|^[+]?[\d\s().\-/]{4,}((x|ext\.?)\s*\d{1,8})?$/i, "Enter a valid phone number"),
  location: text(200).regex(plainLine, notPlain),
  bio: text(2000),
});
export type ProfileChange = z.infer<typeof ProfileChange>;

export const updateProfile = endpoint({
  method: "PUT",
  path: "/api/user/profile",
  summary: "Changes the signed-in person's own profile. 409 when it was changed since it was read",
  query: MadeFrom,
  body: ProfileChange,
  reply: CurrentUser,
});

/** In bytes, for a profile image. */
export const profileImageLimit = 5 * 1024 * 1024;
export const profileImageTooLarge = "Image size must be less than 5MB";

export const ProfileImage = z.object({ profileImageUrl: z.string().nullable() }).meta({ id: "ProfileImage" });
export type ProfileImage = z.infer<typeof ProfileImage>;

export const uploadProfileImage = endpoint({
  method: "POST",
  path: "/api/user/upload-profile-image",
  summary: "Replaces the profile image",
  form: z.object({
    profileImage: z.any().meta({ type: "string", format: "binary" }).describe("Of any image type, less than 5 MB"),
  }),
  reply: ProfileImage,
});

export const removeProfileImage = endpoint({
  method: "DELETE",
  path: "/api/user/profile-image",
  summary: "Removes the profile image; also when there is none",
  reply: ProfileImage,
});

export const getProfileImage = endpoint({
  method: "GET",
  path: "/api/profile-images/{name}",
  summary: "A profile image, for its owner and for administrators; its name changes with the picture",
  params: z.object({ name: z.string().regex(/^[a-z0-9]{1,40}$/) }),
  reply: z.any().meta({ format: "binary" }),
});

export const exportData = endpoint({
  method: "GET",
  path: "/api/user/export",
  summary: "Everything that is kept about the person, as one zip archive. Needs a sign-in of the last ten minutes",
  whileSeeing: "refused",
  reply: z.any().meta({ format: "binary" }),
});

export const deleteUser = endpoint({
  method: "DELETE",
  path: "/api/user",
  summary: "Deletes the signed-in person's account for good. Needs a sign-in of the last ten minutes",
  body: z.strictObject({}).nullish(),
  reply: z.object({ success: z.literal(true), message: z.string() }),
});

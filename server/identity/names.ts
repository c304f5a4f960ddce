import { deleted } from "./users.ts";

/** The name of a person in lists: the address without a name, and neither after a deletion. */
export function nameOf(
  person: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly email: string;
    readonly accountStatus?: string;
  } | null,
): string {
  if (person === null || person.accountStatus === deleted) return "Deleted account";
  return [person.firstName, person.lastName].filter(Boolean).join(" ") || person.email;
}

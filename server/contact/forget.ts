import { eq, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { contacts } from "./tables.ts";

/** Removes the messages that were sent under an address. Support received each as a mail: none is lost unread. */
export async function forgetSender(tx: Db, email: string): Promise<void> {
  await tx.delete(contacts).where(eq(sql`lower(${contacts.email})`, email.toLowerCase()));
}

import { eq } from "drizzle-orm";
import { builtInSettings } from "#content/site.ts";
import type { AcademyOnPages, AcademySettings } from "#contract/academy.ts";
import type { Db } from "#server/db/db.ts";
import { settings } from "#server/db/tables.ts";

const rowName = "academy";

/** What is published; the built-in ones before anything is. */
export async function currentSettings(db: Db): Promise<AcademySettings> {
  const [row] = await db.select().from(settings).where(eq(settings.name, rowName));
  // What a release before this one published lacks what came later.
  return { ...builtInSettings, ...(row?.value as Partial<AcademySettings> | undefined) };
}

export async function setSettings(tx: Db, value: AcademySettings, now: Date): Promise<void> {
  await tx
    .insert(settings)
    .values({ name: rowName, value, updatedAt: now })
    .onConflictDoUpdate({ target: settings.name, set: { value, updatedAt: now } });
}

/** Who runs the academy, with the server's variables where a setting leaves it to them. */
export interface Academy {
  readonly name: string;
  readonly supportEmail: string;
  readonly seller: { readonly name: string; readonly address: readonly string[] };
  readonly taxLine: string | null;
  readonly refundDays: number;
}

export interface Asking {
  readonly db: Db;
  readonly site: { readonly configuredSupportEmail: string };
}

export async function describeAcademy({ db, site }: Asking): Promise<Academy> {
  const { name, supportEmail, sellerName, sellerAddress, taxLine, refundDays } = await currentSettings(db);
  return {
    name,
    supportEmail: supportEmail ?? site.configuredSupportEmail,
    seller: { name: sellerName ?? name, address: linesOf(sellerAddress) },
    taxLine,
    refundDays,
  };
}

export async function describeOnPages(db: Db): Promise<AcademyOnPages> {
  return onPages(await currentSettings(db));
}

function onPages({
  name,
  supportEmail,
  phone,
  officeHours,
  businessHours,
  refundDays,
}: AcademySettings): AcademyOnPages {
  return { name, supportEmail, phone, officeHours, businessHours, refundDays };
}

function linesOf(text: string | null): string[] {
  return (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

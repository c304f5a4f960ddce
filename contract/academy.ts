import { z } from "zod";
import { asTyped } from "./as-typed.ts";
import { TimeZone } from "./coaching/time-zone.ts";
import { communityFields } from "./communities.ts";
import { FooterCopy } from "./copy.ts";
import { EmailAddress } from "./email-address.ts";
import { endpoint } from "./endpoint.ts";
import { line } from "./line.ts";
import { pictureId } from "./pictures.ts";
import { Tier } from "./tiers.ts";

const color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, "Enter a color such as #1a6b3c")
  .meta({ maxLength: 7 });

/** The academy's details, as administrators edit them at /admin/settings. */
export const AcademySettings = z
  .strictObject({
    name: line(60),
    supportEmail: EmailAddress.nullable().describe("Null: the server's SUPPORT_EMAIL"),
    senderName: line(60).nullable().describe("In front of the address of emails; null: MAIL_FROM's, else the name"),
    phone: z
      .string()
      .overwrite(asTyped)
      .trim()
      .regex(/^\+?[\d ()./-]{5,30}$/, "Enter a phone number")
      .meta({ maxLength: 31 })
      .nullable()
      .describe("Null: none is shown"),
    timeZone: TimeZone.describe(
      "IANA. Of the days in reports, exports and receipts, and of dates shown to people whose own zone is unknown",
    ),
    officeHours: line(60).nullable(),
    businessHours: z
      .array(line(60))
      .max(7, "At most 7 lines")
      .describe("Such as `Mon-Fri: 9-6 EST`: what stands before the first colon are the days"),
    sellerName: line(120).nullable().describe("On receipts and under emails; null: the academy's name"),
    sellerAddress: z
      .string()
      .trim()
      .min(1, "Required")
      .max(300, "Use 300 characters or fewer")
      .nullable()
      .describe("In lines; on receipts and under emails"),
    refundDays: z
      .int()
      .min(1)
      .max(90)
      .describe("How long a first purchase is refunded; one that was made keeps what was promised then"),
    taxLine: line(160).nullable().describe("What receipts say about tax; null: nothing"),
    receiptPrefix: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{1,8}$/, "Up to 8 letters and digits")
      .nullable()
      .describe("In front of new receipt numbers; null: none"),
    certificateModules: z
      .int()
      .min(1)
      .max(99)
      .describe("A certificate takes the lessons of the modules up to this one"),
    questionDigestHour: z
      .int()
      .min(0)
      .max(23)
      .nullable()
      .describe("When the team gets its daily email about open questions, in `timeZone`; null: never"),
    reviewEveryDays: z
      .int("Enter a whole number")
      .min(1, "At least 1")
      .max(3650, "At most 3,650")
      .describe("A lesson is due for review this many days after somebody last checked it"),
    brandColor: color.nullable().describe("`#rrggbb`; the other colors follow from it. Null: the built-in yellow"),
    accentColor: color.nullable().describe("Of lines and marks; null: the built-in red"),
    logo: pictureId
      .nullable()
      .describe("As `uploadPicture` names it, in place of the name; null: the name is the logo"),
    logoAlt: line(120).nullable().describe("What the logo shows, in words; null: the name"),
    ...communityFields,
    isPlain: z.boolean().describe("Simple boxes in place of tags, torn receipts and stamps"),
    icon: pictureId.nullable().describe("Of tabs and bookmarks; null: a tag in the brand color"),
  })
  .meta({ id: "AcademySettings" });
export type AcademySettings = z.infer<typeof AcademySettings>;

/** The details that pages show. */
export const AcademyOnPages = z
  .object(
    AcademySettings.pick({ name: true, phone: true, officeHours: true, businessHours: true, refundDays: true }).shape,
  )
  .extend({
    supportEmail: z.string().nullable().describe("Null: each document says it by itself"),
    colors: z.object({ brand: z.string(), accent: z.string() }).optional().describe("Absent: the built-in ones"),
    logo: z
      .object({ src: z.string(), width: z.int(), height: z.int(), alt: z.string() })
      .optional()
      .describe("Absent: the name is the logo"),
    timeZone: z.string().optional().describe("Absent: UTC"),
    isPlain: z.boolean().optional().describe("Absent: with tags, torn receipts and stamps"),
    icon: z.string().optional().describe("An address; absent: the built-in one"),
    socialImage: z.string().optional().describe("An address; absent: the built-in one"),
    planNames: z.record(Tier, z.string()).describe("The published name of each tier's plan"),
    footer: FooterCopy.omit({ part: true }).describe("At the foot of every page"),
  })
  .meta({ id: "AcademyOnPages" });
export type AcademyOnPages = z.infer<typeof AcademyOnPages>;

/** The refund period of a first purchase, in words. */
export function refundWindow({ refundDays }: Pick<AcademySettings, "refundDays">): string {
  return refundDays === 1 ? "1 day" : `${refundDays} days`;
}

export const getAcademy = endpoint({
  method: "GET",
  path: "/api/academy",
  summary: "Who runs the academy, as its pages say now; open to everyone",
  reply: AcademyOnPages,
});

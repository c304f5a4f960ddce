import { z } from "zod";
import { endpoint } from "./endpoint.ts";

const maxNameLength = 100;

/** What a name is made of: letters, accents, digits, spaces, and the marks between names. */
const inNames = /^[\p{L}\p{M}\p{N}\p{Zs}\p{Pd}.,'’‘ʼ`´“”"()·・״׳\u200c\u200d]*$/u;
/** Joiners belong into names of some scripts, between letters. */
const strayJoiner = /(?<![\p{sc=Arab}\p{M}])[\u200c\u200d]|[\u200c\u200d](?!\p{L})/u;

/** The name on a certificate. Whether a font has its letters is the server's to say. */
const CertificateName = z
  .string()
  .overwrite((name) => name.normalize("NFC").replace(/\s+/g, " "))
  .trim()
  .min(1, "Enter your name")
  .max(maxNameLength, `Use ${maxNameLength} characters or fewer`)
  .refine((name) => !/\p{Default_Ignorable_Code_Point}|\p{Cc}/u.test(name.replace(/[\u200c\u200d]/g, "")), {
    error: "Your name has invisible characters. Delete it and type it again",
    abort: true,
  })
  .refine((name) => inNames.test(name) && !strayJoiner.test(name), {
    error: "Use letters only. Symbols and emoji can’t be printed",
    abort: true,
  })
  .refine((name) => /\p{L}/u.test(name), { error: "Enter your name in letters", abort: true })
  .refine((name) => !/\p{M}{4}/u.test(name), "Your name has too many accents on one letter");

const CertificateState = z.enum(["not-earned", "earned", "issued", "withdrawn"]);

export const OwnCertificate = z
  .object({
    state: CertificateState,
    missing: z
      .array(z.object({ lessonId: z.string(), what: z.enum(["watch", "check"]) }))
      .describe("In the order of the course; empty once it is earned, or where nobody can earn one"),
    certificate: z
      .object({
        code: z.string(),
        name: z.string(),
        issuedAt: z.iso.datetime(),
        corrections: z.int().describe("How many name corrections remain"),
        url: z.string().describe("The page where anybody can verify it"),
        pdfUrl: z.string(),
      })
      .nullable(),
  })
  .meta({ id: "OwnCertificate" });
export type OwnCertificate = z.infer<typeof OwnCertificate>;

/** The lessons of a module that a certificate counts. */
export const CertifiedModule = z.object({ position: z.int(), title: z.string(), lessons: z.int() });
export type CertifiedModule = z.infer<typeof CertifiedModule>;

/** What the certificate says, as it was when it was issued. */
export const CertificateFacts = z.object({
  academyName: z.string(),
  timeZone: z.string().describe("IANA. Of the printed dates"),
  modules: z.array(CertifiedModule),
  lessons: z.int().describe("How many were completed"),
  checks: z.int().describe("How many were passed"),
  secondsWatched: z.number(),
  catalogueVersion: z.int(),
});
export type CertificateFacts = z.infer<typeof CertificateFacts>;

export const Certificate = CertificateFacts.extend({
  code: z.string(),
  state: z.enum(["valid", "withdrawn"]),
  withdrawnAt: z.iso.datetime().nullable(),
  name: z.string(),
  pastNames: z.array(z.object({ name: z.string(), until: z.iso.datetime() })).describe("Before corrections"),
  issuedAt: z.iso.datetime(),
  url: z.string(),
  pdfUrl: z.string(),
  pictureUrl: z.string().describe("For sharing, 1200 by 630 pixels"),
}).meta({ id: "Certificate" });
export type Certificate = z.infer<typeof Certificate>;

export const getOwnCertificate = endpoint({
  method: "GET",
  path: "/api/user/certificate",
  summary: "The signed-in student's certificate, or what is missing for it",
  reply: OwnCertificate,
});

const Named = z.strictObject({ name: CertificateName });

export const issueCertificate = endpoint({
  method: "POST",
  path: "/api/user/certificate",
  summary: "Issues the certificate with the name that the student confirms; repeatable",
  body: Named,
  reply: OwnCertificate,
});

/** How often a student may correct the printed name. */
export const maxCorrections = 2;

export const correctCertificateName = endpoint({
  method: "POST",
  path: "/api/user/certificate/correct-name",
  summary: "Corrects the printed name, twice at most. The certificate's page lists the name of before",
  body: Named,
  reply: OwnCertificate,
});

const CodeParams = z.object({ code: z.string().max(100).describe("As printed, or as people type it") });

export const getCertificate = endpoint({
  method: "GET",
  path: "/api/certificates/{code}",
  summary: "A certificate by its code; open to everyone. 410 once its account was deleted",
  params: CodeParams,
  reply: Certificate,
});

export const getCertificatePdf = endpoint({
  method: "GET",
  path: "/api/certificates/{code}/pdf",
  summary: "A valid certificate as a PDF file; open to everyone",
  params: CodeParams,
  reply: z.any().meta({ format: "binary" }),
});

export const getCertificatePicture = endpoint({
  method: "GET",
  path: "/api/certificates/{code}/picture",
  summary: "A valid certificate as a PNG picture for sharing; open to everyone",
  params: CodeParams,
  reply: z.any().meta({ format: "binary" }),
});

/** "modules 1 to 3", or "module 2". */
export function modulesInWords(modules: readonly Pick<CertifiedModule, "position">[]): string {
  const positions = modules.map(({ position }) => position);
  const [first = 0, last = first] = [positions[0], positions.at(-1)];
  if (first === last) return `module ${first}`;
  if (last - first === positions.length - 1) return `modules ${first} to ${last}`;
  return `modules ${new Intl.ListFormat("en-US").format(positions.map(String))}`;
}

import type { StudentEmail } from "#server/mail/student-emails.ts";

interface CertificateIssuedFacts {
  /** "modules 1 to 3" */
  readonly modules: string;
  readonly code: string;
  readonly url: string;
  readonly pdfUrl: string;
}

/** Without the printed name, which anybody may have typed where the address was never confirmed. */
export const certificateIssuedEmail: StudentEmail<CertificateIssuedFacts> = {
  kind: "certificate-issued",
  write: ({ modules, code, url, pdfUrl }) => ({
    subject: "Your certificate is ready",
    paragraphs: [
      `You completed ${modules}, and your certificate is ready to download and share.`,
      "Anyone with its link can check that it’s valid. It stays yours when your plan ends.",
    ],
    rows: [["Code", code]],
    link: ["See your certificate", url],
    otherLinks: [["Download as PDF", pdfUrl]],
  }),
};

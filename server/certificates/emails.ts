import { href } from "#contract/addresses.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { questions } from "#server/mail/wording.ts";
import { findCertificate } from "./queries.ts";

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

interface CertificateWithdrawnFacts {
  readonly code: string;
  /** ISO. Nothing is sent about an earlier withdrawal. */
  readonly withdrawnAt: string;
  /** The administrator's reason, or null after a refund or dispute. */
  readonly reason: string | null;
}

/** Not sent once the certificate is valid again. */
export const certificateWithdrawnEmail: StudentEmail<CertificateWithdrawnFacts> = {
  kind: "certificate-withdrawn",
  prepare: async ({ db }, { code, withdrawnAt }) => {
    const certificate = await findCertificate(db, { code });
    return certificate?.withdrawnAt?.toISOString() === withdrawnAt ? {} : null;
  },
  write: ({ code, reason }, reader) => ({
    subject: "Your certificate was withdrawn",
    paragraphs: [
      reason === null
        ? "Your payment was returned, so your certificate is no longer valid. It becomes valid again if you buy a plan."
        : `We’ve withdrawn your certificate. Reason: ${reason}`,
      "Its page now shows that it was withdrawn and when. You can’t download the PDF anymore.",
    ],
    link: ["See your certificate’s page", href.verify(code)],
    closing: questions(reader),
  }),
};

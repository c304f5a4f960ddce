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
export const certificateIssuedEmail: StudentEmail<CertificateIssuedFacts, object, "certificate-issued"> = {
  kind: "certificate-issued",
  write: ({ modules, code, url, pdfUrl }, _reader, say) => ({
    subject: say("subject"),
    paragraphs: [say("completed", { modules }), say("valid")],
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
export const certificateWithdrawnEmail: StudentEmail<CertificateWithdrawnFacts, object, "certificate-withdrawn"> = {
  kind: "certificate-withdrawn",
  prepare: async ({ db }, { code, withdrawnAt }) => {
    const certificate = await findCertificate(db, { code });
    return certificate?.withdrawnAt?.toISOString() === withdrawnAt ? {} : null;
  },
  write: ({ code, reason }, reader, say) => ({
    subject: say("subject"),
    paragraphs: [reason === null ? say("returned") : say("reason", { reason }), say("page")],
    link: ["See your certificate’s page", href.verify(code)],
    closing: questions(reader),
  }),
};

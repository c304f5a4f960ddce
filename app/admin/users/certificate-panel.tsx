import { api } from "#app/api/api.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { May } from "#app/identity/may.tsx";
import { RequiredReason } from "#contract/admin/admin.ts";
import { restoreCertificate, withdrawCertificate } from "#contract/admin/certificates.ts";
import type { UserDetail } from "#contract/admin/users.ts";
import { formatTimestamp } from "#ui/format/dates.ts";
import { Facts } from "../facts.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { RowActions } from "../row-actions.tsx";
import { nameOf } from "../words.tsx";

/** The user's certificate, which administrators can withdraw and restore. */
export function CertificatePanel({ detail: { user, certificate } }: { detail: UserDetail }) {
  const [isAsked, setIsAsked] = useResumable<boolean>(`certificate ${user.id}`, false);
  if (!certificate) {
    return (
      <Panel title="Certificate">
        <Nothing>No certificate yet.</Nothing>
      </Panel>
    );
  }
  const { code, state, name, pastNames, issuedAt, withdrawnAt, url } = certificate;
  const isValid = state === "valid";
  const params = { userId: user.id };
  return (
    <Panel
      title="Certificate"
      aside={
        <May permission="access:give">
          <RowActions
            of={`the certificate of ${nameOf(user)}`}
            isOpen
            actions={[
              { label: isValid ? "Withdraw" : "Restore", isDangerous: isValid, onPress: () => setIsAsked(true) },
            ]}
          />
        </May>
      }
    >
      <Facts
        facts={[
          ["Name", name],
          ["Earlier names", pastNames.map((past) => past.name).join("\n")],
          ["Issued", formatTimestamp(issuedAt)],
          ["Withdrawn", withdrawnAt && formatTimestamp(withdrawnAt)],
          [
            "Code",
            <a key="code" href={url} className="underline underline-offset-4">
              {code}
            </a>,
          ],
        ]}
      />
      {isAsked && (
        <ReasonDialog
          schema={RequiredReason}
          about={code}
          title={isValid ? "Withdraw the certificate?" : "Restore the certificate?"}
          description={
            isValid
              ? "Its page shows it as withdrawn from today, without the reason. We email the student. You can restore it."
              : "Its page shows it as valid again, even after a refund or dispute."
          }
          confirm={isValid ? "Withdraw" : "Restore"}
          isDangerous={isValid}
          reasonHint={
            isValid
              ? "We’ll send it to the student. It’s also saved in the audit log, so don’t enter names or addresses."
              : undefined
          }
          act={(reason = "") =>
            isValid
              ? api(withdrawCertificate, { params, body: { reason } })
              : api(restoreCertificate, { params, body: { reason } })
          }
          words={
            isValid
              ? { done: "Certificate withdrawn", failed: "Failed to withdraw the certificate" }
              : { done: "Certificate restored", failed: "Failed to restore the certificate" }
          }
          onClose={() => setIsAsked(false)}
        />
      )}
    </Panel>
  );
}

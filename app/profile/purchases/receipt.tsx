import { useQuery } from "@tanstack/react-query";
import { Link, type Params, useParams } from "react-router";
import { ApiError } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { useSignInFirst } from "#app/identity/sign-in-first.ts";
import { StudentPage } from "#app/identity/student-page.tsx";
import { href } from "#contract/addresses.ts";
import { getReceipt, getReceiptPdf, type Receipt } from "#contract/purchases/receipts.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { ReceiptSheet } from "./receipt-sheet.tsx";

const receiptQuery = (id: string) => queryOf(getReceipt, { params: { id } });

/** The receipt of a payment, to read, print or save. */
export default function ReceiptPage() {
  const { id = "" } = useParams();
  const { user } = useCurrentUser();
  useSignInFirst(user === null);
  const { data, isPending, error, refetch, isFetching } = useQuery({ ...receiptQuery(id), enabled: Boolean(user) });
  return (
    <StudentPage
      title="Receipt"
      description="The receipt of one payment to the academy, to print or to save."
      className="px-(--margin) pt-8 pb-20 sm:pt-12 print:p-0"
    >
      {data ? (
        <Found receipt={data} />
      ) : isPending ? (
        <StateCard level={1} tone="loading" title="Loading your receipt" />
      ) : error instanceof ApiError && [400, 404].includes(error.status) ? (
        <StateCard level={1} title="We couldn't find this receipt" actions={<BackToProfile />}>
          <p>You don't have a receipt at this address. You'll find your receipts on your profile.</p>
        </StateCard>
      ) : (
        <LoadFailed title="Your receipt didn't load" isRetrying={isFetching} retry={refetch} />
      )}
    </StudentPage>
  );
}

ReceiptPage.queries = ({ id = "" }: Params) => [receiptQuery(id)];

function Found({ receipt }: { receipt: Receipt }) {
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <div className="flex flex-wrap justify-between gap-3 print:hidden">
        <BackToProfile />
        <div className="flex flex-wrap gap-3">
          {"print" in window && (
            <Button variant="outline" onClick={() => window.print()}>
              Print
            </Button>
          )}
          <a
            href={getReceiptPdf.path.replace("{id}", encodeURIComponent(receipt.receiptId))}
            download
            className={buttonStyle()}
          >
            Download PDF
          </a>
        </div>
      </div>
      <ReceiptSheet receipt={receipt} />
    </div>
  );
}

function BackToProfile() {
  return (
    <Link to={href.profile()} className={buttonStyle({ variant: "outline" })}>
      Back to My Profile
    </Link>
  );
}

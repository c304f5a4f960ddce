import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { api, messageOf } from "#app/api/api.ts";
import { paymentConfigQuery } from "#app/card/payment-config-query.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { StudentPage } from "#app/identity/student-page.tsx";
import { TeamOnly } from "#app/identity/team-only.tsx";
import { href } from "#contract/addresses.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { directPayment, testConnection } from "#contract/purchases/purchases.ts";
import { Badge } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { toast } from "#ui/toast/toast.ts";

export default function PaymentTest() {
  return (
    <StudentPage
      title="Payment test"
      description="Tests the academy's connection to the card gateway, for administrators."
      className="px-(--margin) pt-8 pb-20 sm:pt-12"
    >
      <TeamOnly permission="money:settle">{(user) => <Tests user={user} />}</TeamOnly>
    </StudentPage>
  );
}

function Tests({ user }: { user: CurrentUser }) {
  const config = useQuery(paymentConfigQuery);
  const connection = useConnectionTest();
  const payment = usePaymentTest(user);
  if (config.isPending) return <StateCard level={1} tone="loading" title="Payment test" />;
  // If the configuration cannot be read, the buttons stay, because they help to find the fault.
  if (config.data?.environment === "production") return <OffInProduction />;
  return (
    <div className="mx-auto grid w-full max-w-4xl gap-8">
      <div>
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
          <div className="min-w-0 flex-1 basis-96">
            <h1 className="wide text-title">Payment test</h1>
            <p className="mt-3 max-w-[60ch] text-ink-soft text-lead">
              Checks that the card gateway accepts the academy’s credentials, and charges one dollar to a public test
              card. The charge is voided right away.
            </p>
          </div>
          <Link to={href.admin()} className={buttonStyle({ variant: "outline", size: "small" })}>
            Back to Admin Dashboard
          </Link>
        </div>
        <p className="printed mt-4">Environment: {config.data?.environment ?? "unknown"}</p>
      </div>
      <ul className="grid gap-6 md:grid-cols-2">
        <TestCard
          title="Connection"
          text="Sends the credentials and nothing else."
          button={
            <Button
              variant="outline"
              size="large"
              wide
              pending={connection.isPending}
              onClick={() => connection.mutate()}
            >
              Test Connection
            </Button>
          }
          outcome={outcomeOf(connection, connectionError)}
        />
        <TestCard
          title="Payment"
          text="Card 4111 1111 1111 1111, in your name."
          button={
            <Button variant="tag" size="large" wide pending={payment.isPending} onClick={() => payment.mutate()}>
              Test $1.00 Payment
            </Button>
          }
          outcome={outcomeOf(payment, paymentError)}
        />
      </ul>
    </div>
  );
}

const connectionError = "We couldn't test the connection.";
const paymentError = "We couldn't test the payment.";

function useConnectionTest() {
  return useMutation({
    mutationFn: () => api(testConnection),
    onSuccess: ({ success, message }) =>
      toast({ title: success ? "Test Successful" : "Test Failed", description: message, destructive: !success }),
    onError: (error) => toastFailure("Test Error", error, connectionError),
  });
}

function usePaymentTest({ email, firstName, lastName }: CurrentUser) {
  return useMutation({
    mutationFn: () =>
      api(directPayment, {
        body: {
          amount: 1,
          tier: "basic",
          cardNumber: "4111111111111111",
          expirationDate: `12/${new Date().getFullYear() + 3}`,
          cvv: "900",
          customerEmail: email,
          customerName: [firstName, lastName].filter(Boolean).join(" ") || "Administrator",
        },
      }),
    onSuccess: ({ success, message }) =>
      toast({
        title: success ? "Payment Test Successful" : "Payment Test Failed",
        description: message,
        destructive: !success,
      }),
    onError: (error) => toastFailure("Payment Test Failed", error, paymentError),
  });
}

/** A test's result, shown below its button. */
interface Outcome {
  success: boolean;
  message: string;
  transactionId?: string | null;
  method?: string;
  endpoint?: string;
}

/** Null before the first test and while one is running. */
function outcomeOf(test: { data: Outcome | undefined; error: Error | null }, fallback: string): Outcome | null {
  return test.error ? { success: false, message: messageOf(test.error, fallback) } : (test.data ?? null);
}

interface TestCardProps {
  title: string;
  text: string;
  button: ReactNode;
  outcome: Outcome | null;
}

function TestCard({ title, text, button, outcome }: TestCardProps) {
  return (
    <li className="grid content-start gap-5 rounded-md border-2 border-edge bg-surface p-5 sm:p-7">
      <div>
        <h2 className="wide text-heading">{title}</h2>
        <p className="mt-2 text-ink-soft">{text}</p>
      </div>
      {button}
      {outcome && (
        <div className="border-ink border-t-2 pt-4">
          <Badge tone={outcome.success ? "success" : "danger"}>{outcome.success ? "Success" : "Failed"}</Badge>
          <p className="mt-3">{outcome.message}</p>
          <dl className="mt-3 grid">
            <Fact name="Transaction ID" value={outcome.transactionId} />
            <Fact name="Method" value={outcome.method} />
            <Fact name="Endpoint" value={outcome.endpoint} />
          </dl>
        </div>
      )}
    </li>
  );
}

function Fact({ name, value }: { name: string; value: string | null | undefined }) {
  if (!value) return null;
  return (
    <div className="border-line border-t border-dashed py-2">
      <dt className="text-fine text-ink-soft">{name}</dt>
      <dd className="printed break-all">{value}</dd>
    </div>
  );
}

function OffInProduction() {
  return (
    <StateCard level={1} title="Payment tests are off in production">
      <p>They use published test cards, which a live gateway doesn’t accept. Run them in the demo or the sandbox.</p>
    </StateCard>
  );
}

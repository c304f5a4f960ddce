import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { messageOf } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import type { PlanOnSale } from "#app/plans/plans.ts";
import { quoteQuery } from "#app/plans/quote.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";

interface CouponFieldProps {
  plan: PlanOnSale;
  /** The code in the URL. */
  code: string | null;
  /** The code that the total includes. */
  applied: string | null;
  /** Why the code in the URL was refused. */
  refused: string | null;
  isPaying: boolean;
}

/** Puts a valid code into the URL, so that it survives a reload and a sign-in. */
export function CouponField({ plan, code, applied, refused, isPaying }: CouponFieldProps) {
  const queryClient = useQueryClient();
  const [, setQuery] = useSearchParams();
  const [typed, setTyped] = useState(applied ?? code ?? "");

  function putInAddress(next: string | null): void {
    setQuery(
      (query) => {
        if (next === null) query.delete("code");
        else query.set("code", next);
        return query;
      },
      { replace: true, preventScrollReset: true },
    );
  }

  async function apply(next: string): Promise<void> {
    await queryClient.fetchQuery(quoteQuery(plan.tier, plan.priceId, next));
    setTyped(next);
    putInAddress(next);
  }

  async function remove(): Promise<void> {
    setTyped("");
    putInAddress(null);
  }

  const form = useForm({
    check: (): { code?: string } => (typed.trim() === "" ? { code: "Enter a code" } : {}),
    send: () => (applied === null ? apply(typed.trim().toUpperCase()) : remove()),
    onFailed: (error, isShown) => {
      if (!isShown) form.show({ code: messageOf(error, "We couldn't check the code. Please try again.") });
    },
  });

  return (
    <form {...form.frame} aria-label="Coupon">
      <Field name="code" label="Coupon code" error={form.faults.code ?? (typed === code ? refused : null)}>
        <div className="flex flex-wrap gap-2">
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            readOnly={applied !== null}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            className="min-w-0 flex-1 basis-32 uppercase"
          />
          <Button type="submit" variant="outline" pending={form.isSending} disabled={isPaying}>
            {applied === null ? "Apply" : "Remove"}
            <span className="sr-only"> {applied === null ? "the code" : `the coupon ${applied}`}</span>
          </Button>
        </div>
      </Field>
      <p role="status" className="text-fine text-ink-soft">
        {applied !== null && <span className="mt-1.5 block">{applied} is applied.</span>}
      </p>
    </form>
  );
}

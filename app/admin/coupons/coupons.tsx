import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queryOf } from "#app/api/query.ts";
import { type Coupon, listCoupons } from "#contract/admin/coupons.ts";
import { formatDollars } from "#contract/money.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { AdminPage } from "../admin-page.tsx";
import { Figures } from "../figures.tsx";
import { useResumeCoupon } from "./coupon-actions.ts";
import { CouponDialog, EndDialog } from "./coupon-dialogs.tsx";
import { stateWords, usesWords, worthWords } from "./coupon-words.ts";

type Asked = { what: "new" } | { what: "change" | "end"; coupon: Coupon };

export default function CouponsPage() {
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <AdminPage
      title="Coupons"
      description="Coupons with their uses, revenue and refunds, for administrators."
      lead="What a code takes off a price, and what was bought with it. Revenue counts what was charged, with the renewals that followed."
      actions={<Button onClick={() => setAsked({ what: "new" })}>New coupon</Button>}
    >
      <Coupons onAsk={setAsked} />
      {asked && <Dialogs asked={asked} onClose={() => setAsked(null)} />}
    </AdminPage>
  );
}

/** Uses the coupon's current state in the list. */
function Dialogs({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { data } = useQuery(queryOf(listCoupons));
  if (asked.what === "new") return <CouponDialog coupon={null} onClose={onClose} />;
  const coupon = data?.find(({ code }) => code === asked.coupon.code) ?? asked.coupon;
  return asked.what === "change" ? (
    <CouponDialog coupon={coupon} onClose={onClose} />
  ) : (
    <EndDialog coupon={coupon} onClose={onClose} />
  );
}

CouponsPage.queries = () => [queryOf(listCoupons)];

function Coupons({ onAsk }: { onAsk: (asked: Asked) => void }) {
  const { data, isPending, refetch } = useQuery(queryOf(listCoupons));
  if (isPending) return <PartLoading what="coupons" />;
  if (!data) return <PartFailed what="the coupons" retry={refetch} />;
  const sum = (figure: (coupon: Coupon) => number) => data.reduce((total, coupon) => total + figure(coupon), 0);
  return (
    <div className="grid grid-cols-1 gap-6">
      <Figures
        label="Coupons in numbers"
        figures={[
          {
            label: "Running",
            value: data.filter(({ state }) => state === "running").length,
            note: `of ${data.length}`,
          },
          { label: "Uses", value: sum(({ used }) => used), note: "a refund leaves them used" },
          { label: "Revenue", value: formatDollars(sum(({ revenue }) => revenue)), note: "charged, with renewals" },
          {
            label: "Discounts",
            value: formatDollars(sum(({ discounted }) => discounted)),
            note: "taken off what was paid",
          },
        ]}
      />
      {data.length === 0 ? (
        <div className="border-line border-y py-12 text-center">No coupon was made yet</div>
      ) : (
        <Table caption="Coupons" columns={columnsFor(onAsk)} rows={data} rowKey={({ code }) => code} />
      )}
    </div>
  );
}

function columnsFor(onAsk: (asked: Asked) => void): readonly Column<Coupon>[] {
  return [
    {
      key: "code",
      label: "Coupon",
      wide: true,
      cell: (coupon) => (
        <div className="min-w-0">
          <p className="printed font-bold text-base wrap-anywhere">{coupon.code}</p>
          <p className="text-fine text-ink-soft">
            {worthWords(coupon)}
            {coupon.firstPurchaseOnly && ", first purchases only"}
          </p>
        </div>
      ),
    },
    {
      key: "state",
      label: "State",
      cell: ({ state }) => <Badge tone={stateWords[state].tone}>{stateWords[state].words}</Badge>,
    },
    {
      key: "dates",
      label: "Dates",
      cell: ({ startsAt, endsAt }) => (
        <span className="text-fine">
          {formatTimestamp(startsAt)}
          <br />
          to {formatTimestamp(endsAt)}
        </span>
      ),
    },
    { key: "uses", label: "Uses", cell: usesWords },
    { key: "revenue", label: "Revenue", end: true, cell: Revenue },
    {
      key: "actions",
      label: "",
      cell: (coupon) => <Actions coupon={coupon} onAsk={onAsk} />,
    },
  ];
}

function Revenue({ revenue, refunded, discounted }: Coupon) {
  return (
    <>
      {formatDollars(revenue)}
      {discounted > 0 && <span className="block text-fine text-ink-soft">{formatDollars(discounted)} off</span>}
      {refunded > 0 && <span className="block text-danger text-fine">−{formatDollars(refunded)} refunded</span>}
    </>
  );
}

function Actions({ coupon, onAsk }: { coupon: Coupon; onAsk: (asked: Asked) => void }) {
  const resume = useResumeCoupon(coupon.code);
  const ofCoupon = <span className="sr-only"> {coupon.code}</span>;
  return (
    <span className="flex flex-wrap gap-1 @4xl:flex-nowrap @4xl:justify-end">
      <Button variant="outline" size="small" onClick={() => onAsk({ what: "change", coupon })}>
        Change{ofCoupon}
      </Button>
      {coupon.state === "ended" ? (
        <Button variant="outline" size="small" pending={resume.isPending} onClick={() => resume.mutate()}>
          Resume{ofCoupon}
        </Button>
      ) : (
        coupon.state !== "over" && (
          <Button variant="quiet" size="small" onClick={() => onAsk({ what: "end", coupon })}>
            End{ofCoupon}
          </Button>
        )
      )}
    </span>
  );
}

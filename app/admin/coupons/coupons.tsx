import { cx } from "class-variance-authority";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { type Coupon, type CouponSums, listCoupons, resumeCoupon } from "#contract/admin/coupons.ts";
import { formatDollars } from "#contract/money.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { copyLink } from "#ui/copy-link.ts";
import { formatTimestamp } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { useAct } from "../act.ts";
import { AdminPage } from "../admin-page.tsx";
import { Figures } from "../figures.tsx";
import { firstPageOf, ListTable, useAdminList } from "../list.tsx";
import { RowActions } from "../row-actions.tsx";
import { rowTitleStyle, ValueNote } from "../row-title.tsx";
import { CodesDialog, CouponDialog, EndDialog } from "./coupon-dialogs.tsx";
import { linkOf, renewalsWords, stateWords, usesWords, worthWords } from "./coupon-words.ts";

type Asked = { what: "new" | "codes" } | { what: "change" | "end"; coupon: Coupon };

export default function CouponsPage() {
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <AdminPage
      title="Coupons"
      description="Coupons with their uses, revenue and refunds, for administrators."
      lead="Discount codes and what students bought with them. Revenue includes renewals."
      actions={
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => setAsked({ what: "codes" })}>
            New single-use codes
          </Button>
          <Button onClick={() => setAsked({ what: "new" })}>New coupon</Button>
        </div>
      }
    >
      <Coupons asked={asked} onAsk={setAsked} />
    </AdminPage>
  );
}

CouponsPage.queries = () => [firstPageOf(listCoupons)];

interface CouponsProps {
  asked: Asked | null;
  onAsk: (asked: Asked | null) => void;
}

function Coupons({ asked, onAsk }: CouponsProps) {
  const list = useAdminList<Coupon, object, { sums: CouponSums }>({
    endpoint: listCoupons,
    label: "Coupons",
    what: "coupons",
    columns: columnsFor(onAsk),
  });
  const sums = list.first?.sums;
  // The coupon may have been used since the dialog was opened.
  const chosen = asked && "coupon" in asked ? list.rows?.find(({ id }) => id === asked.coupon.id) : undefined;
  const close = () => onAsk(null);
  return (
    <div className="grid grid-cols-1 gap-6">
      <Figures
        label="Coupons in numbers"
        figures={[
          { label: "Running", value: sums?.running, note: sums && `of ${list.total}` },
          { label: "Uses", value: sums?.used, note: "including refunded purchases" },
          { label: "Revenue", value: sums && formatDollars(sums.revenue), note: "charged, including renewals" },
          { label: "Discounts", value: sums && formatDollars(sums.discounted), note: "off the prices" },
        ]}
      />
      <ListTable isBrief list={list} empty="No coupons yet" />
      {asked?.what === "new" && <CouponDialog coupon={null} onClose={close} />}
      {asked?.what === "codes" && <CodesDialog onClose={close} />}
      {asked?.what === "change" && <CouponDialog coupon={chosen ?? asked.coupon} onClose={close} />}
      {asked?.what === "end" && <EndDialog coupon={chosen ?? asked.coupon} onClose={close} />}
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
          <button
            type="button"
            data-opens
            aria-label={`Change ${coupon.code}`}
            className={cx("printed text-left text-base", rowTitleStyle)}
            onClick={() => onAsk({ what: "change", coupon })}
          >
            {coupon.code}
          </button>
          <p className="text-fine text-ink-soft">
            {worthWords(coupon)}
            {coupon.renewals > 0 && `, ${renewalsWords(coupon)}`}
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
      isDetail: true,
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
      {discounted > 0 && <ValueNote>{formatDollars(discounted)} off</ValueNote>}
      {refunded > 0 && <ValueNote>−{formatDollars(refunded)} refunded</ValueNote>}
    </>
  );
}

function Actions({ coupon, onAsk }: { coupon: Coupon; onAsk: (asked: Asked) => void }) {
  const resume = useAct(() => api(resumeCoupon, { params: { code: coupon.code }, body: {} }), {
    done: "Coupon resumed",
    failed: "Failed to resume the coupon",
  });
  return (
    <RowActions
      of={coupon.code}
      actions={[
        { label: "Change", onPress: () => onAsk({ what: "change", coupon }) },
        { label: "Copy link", onPress: () => copyLink(linkOf(coupon.code)) },
        coupon.state === "ended" && { label: "Resume", isPending: resume.isPending, onPress: () => resume.mutate() },
        coupon.state !== "ended" &&
          coupon.state !== "over" && { label: "End", onPress: () => onAsk({ what: "end", coupon }) },
      ]}
    />
  );
}

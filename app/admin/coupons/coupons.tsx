import { useState } from "react";
import { type Coupon, type CouponSums, listCoupons } from "#contract/admin/coupons.ts";
import { formatDollars } from "#contract/money.ts";
import { Button } from "#ui/controls/button.tsx";
import { AdminPage } from "../admin-page.tsx";
import { Figures } from "../figures.tsx";
import { firstPageOf, ListTable, useAdminList } from "../list.tsx";
import { type Asked, columnsFor } from "./coupon-columns.tsx";
import { CodesDialog, CouponDialog, EndDialog } from "./coupon-dialogs.tsx";

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

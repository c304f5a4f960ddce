import { cx } from "class-variance-authority";
import { api } from "#app/api/api.ts";
import { type Coupon, resumeCoupon } from "#contract/admin/coupons.ts";
import { formatDollars } from "#contract/money.ts";
import { Badge } from "#ui/badge.tsx";
import { copyLink } from "#ui/copy-link.ts";
import { formatTimestamp } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { useAct } from "../act.ts";
import { RowActions } from "../row-actions.tsx";
import { rowTitleStyle, ValueNote } from "../row-title.tsx";
import { linkOf, renewalsWords, stateWords, usesWords, worthWords } from "./coupon-words.ts";

export type Asked = { what: "new" | "codes" } | { what: "change" | "end"; coupon: Coupon };

export function columnsFor(onAsk: (asked: Asked) => void): readonly Column<Coupon>[] {
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

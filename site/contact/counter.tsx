import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { businessHours, contactInformation, refundPolicy, responseTimes } from "#content/contact.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import { academy, named } from "#ui/academy.ts";
import { Card } from "#ui/card.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { SupportLink, WithSupportLinks } from "#ui/frame/support.tsx";
import { NumberRanges } from "#ui/number-ranges.tsx";

interface SignProps {
  className: string;
}

interface WordedProps extends SignProps {
  copy: CopyOnPages["contact"];
}

/** Signs on the contact page: the refund policy here, then the address, the hours and the response time. */
export function RefundPolicy({ copy, className }: WordedProps) {
  return (
    <Card
      tone="dark"
      padding="large"
      className={cx("grid items-start gap-x-(--gutter) gap-y-4 grid-cols-1 lg:grid-cols-3", className)}
    >
      <h2 className="font-bold text-heading lg:row-start-1">{refundPolicy.title}</h2>
      <p className="narrow text-price text-tag lg:row-span-2 lg:row-start-2">{named(refundPolicy.headline)}</p>
      <p className="max-w-[54ch] text-lg leading-relaxed lg:col-span-2 lg:row-span-2">{copy.refundText}</p>
      <p className="max-w-[54ch] text-rail-soft lg:col-span-2">
        <WithSupportLinks text={copy.refundHow} />
      </p>
    </Card>
  );
}

export function ContactInformation({ className }: SignProps) {
  const { phone, officeHours } = academy();
  return (
    <Card padding="large" className={className}>
      <h2 className="font-bold text-heading">{contactInformation.title}</h2>
      <dl className="mt-4">
        <Row about="Email">
          <SupportLink />
        </Row>
        {phone && <Row about="Phone">{phone}</Row>}
        {officeHours && <Row about="Office">{officeHours}</Row>}
      </dl>
      {phone && (
        <a
          href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}
          className={buttonStyle({ variant: "outline", wide: true, className: "mt-5" })}
        >
          Call us
        </a>
      )}
    </Card>
  );
}

export function BusinessHours({ className }: SignProps) {
  const week = academy().businessHours;
  if (week.length === 0) return null;
  return (
    <Card padding="large" className={className}>
      <h2 className="font-bold text-heading">{businessHours.title}</h2>
      <dl className="mt-4">
        {week.map((line) => {
          const [days = "", hours = ""] = line.split(/:\s*(.*)/s);
          return (
            <Row key={line} about={days}>
              {hours}
            </Row>
          );
        })}
      </dl>
    </Card>
  );
}

export function ResponseTimes({ copy, className }: WordedProps) {
  return (
    <Card padding="large" className={className}>
      <h2 className="font-bold text-heading">{responseTimes.title}</h2>
      <dl className="mt-4">
        {copy.times.map(({ id, about, within }) => (
          <Row key={id} about={about}>
            <NumberRanges text={within} />
          </Row>
        ))}
      </dl>
    </Card>
  );
}

function Row({ about, children }: { about: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-line border-b py-3 last:border-b-0">
      <dt className="text-ink-soft">{about}</dt>
      <dd className="min-w-0 font-semibold">{children}</dd>
    </div>
  );
}

import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { billingNotes } from "#app/plans/billing-notes.ts";
import type { Plan } from "#contract/catalogue.ts";
import { promiseWords } from "#contract/coaching/promise.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { formatDollars, formatPrice } from "#contract/money.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { Barcode } from "#ui/brand/bars.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { chosenForHero } from "../free-lessons.ts";
import { SectionHeading } from "../section-heading.tsx";

const heading = { title: "A look inside", lead: "This is what the course looks like once you are a student." };

/** What students see, drawn with the academy's own lesson, example, coaching and plan. */
export function Inside({ facts: { catalogue, firstCaptions, plans, copy } }: { facts: PageFacts }) {
  const [lesson] = chosenForHero(catalogue).toReversed();
  const coached = plans.find(({ coaching }) => coaching.sessions > 0);
  const plan = plans.find(({ popular }) => popular) ?? plans[0];
  return (
    <section aria-labelledby="inside-title" className="block-space when-near bg-kraft-soft">
      <div className="page-grid gap-y-14">
        <SectionHeading id="inside-title" heading={heading} className="col-span-full" />
        {lesson && (
          <Figure
            title="Lessons that keep your place"
            text="Stop at any time and continue where you left off. Turn on captions, change the speed, or take notes."
            className="lg:col-span-7"
          >
            <PlayerDrawing lesson={lesson} caption={firstCaptions.find(({ lessonId }) => lessonId === lesson.id)} />
          </Figure>
        )}
        {copy.sections.includes("example") && (
          <Figure
            title="Examples to work through"
            text="Fill in your own numbers next to ours, and see what changes."
            className="lg:col-span-5"
          >
            <SheetDrawing example={copy.example} />
          </Figure>
        )}
        {coached && (
          <Figure
            title="Time with a coach"
            text={`${coached.name} includes 1-on-1 coaching: ${promiseWords(coached.coaching)}. You book it in your own time zone.`}
            className="lg:col-span-7"
          >
            <SessionDrawing minutes={coached.coaching.minutes} />
          </Figure>
        )}
        {plan && (
          <Figure
            title="One total, before you pay"
            text="Your order shows what you pay today and whether it renews. We email you the receipt."
            className="lg:col-span-5"
          >
            <OrderDrawing plan={plan} />
          </Figure>
        )}
      </div>
    </section>
  );
}

interface FigureProps {
  title: string;
  text: string;
  className: string;
  /** The drawing. Hidden from screen readers, which read the title and the text. */
  children: ReactNode;
}

function Figure({ title, text, className, children }: FigureProps) {
  return (
    <figure className={`col-span-full row-span-2 grid grid-rows-subgrid gap-y-5 ${className}`}>
      <div aria-hidden="true" className="grid content-center">
        {children}
      </div>
      <figcaption className="max-w-[52ch]">
        <h3 className="font-bold text-heading">{title}</h3>
        <p className="mt-1 text-ink-soft">{text}</p>
      </figcaption>
    </figure>
  );
}

interface PlayerDrawingProps {
  lesson: { duration: number; thumbnail: string | null };
  caption: PageFacts["firstCaptions"][number] | undefined;
}

/** The player while it shows the first caption of the lesson. */
function PlayerDrawing({ lesson: { duration, thumbnail }, caption }: PlayerDrawingProps) {
  const second = Math.ceil((caption?.startsAt ?? 0) / 1000);
  return (
    <div className="forced-color-adjust-none scheme-dark border-2 border-edge bg-rail text-rail-ink shadow-card">
      <div className="relative aspect-video bg-sunken">
        {thumbnail && <img src={thumbnail} alt="" loading="lazy" className="size-full object-cover" />}
        {caption && (
          <p className="absolute inset-x-[6%] bottom-[6%] text-balance text-center text-[clamp(0.75rem,2.4vw,1.125rem)] leading-relaxed">
            <span className="box-decoration-clone bg-sunken/85 px-2 py-1">{caption.text}</span>
          </p>
        )}
      </div>
      <div className="printed flex h-11 items-center gap-3 px-4 sm:gap-4">
        <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 shrink-0 fill-current">
          <path d="M2 1h4v14H2zM10 1h4v14h-4z" />
        </svg>
        <span className="h-1.5 grow bg-rail-ink/30">
          <span className="block h-full min-w-2 bg-tag" style={{ width: `${(100 * second) / duration}%` }} />
        </span>
        <span className="whitespace-nowrap">
          {formatSecond(second)} / {formatSecond(duration)}
        </span>
        <span className="border-2 border-tag px-1 font-semibold text-tag">CC</span>
        <span className="max-xs:hidden">1x</span>
        <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 shrink-0 fill-none stroke-2 stroke-current">
          <path d="M1 5V1h4M11 1h4v4M15 11v4h-4M5 15H1v-4" />
        </svg>
      </div>
    </div>
  );
}

/** The example as a filled-in worksheet. */
function SheetDrawing({ example: { item, lines, resultLabel, result } }: { example: CopyOnPages["example"] }) {
  const rows = [{ what: item, amount: "" }, ...lines, { what: resultLabel, amount: result }];
  return (
    <div className="scheme-light border-2 border-edge bg-surface text-ink shadow-card">
      <p className="printed flex gap-4 border-line border-b px-4 py-2.5">
        <span className="font-semibold">B{rows.length}</span>
        <span className="text-ink-soft italic">fx</span>
        {result}
      </p>
      <div className={cx(sheetRow, "printed bg-sunken text-center text-ink-soft *:py-0.5")}>
        <span />
        <span>A</span>
        <span>B</span>
      </div>
      {rows.map(({ what, amount }, at) => (
        <div key={what} className={cx(sheetRow, "leading-6 *:py-2.5", at % (rows.length - 1) === 0 && "font-bold")}>
          <span className="printed bg-sunken text-center font-normal text-ink-soft">{at + 1}</span>
          <span className="px-3">{what}</span>
          <span
            className={cx(
              "px-3 text-right tabular-nums",
              what === resultLabel && "bg-tag outline-2 outline-scan -outline-offset-1",
            )}
          >
            {amount}
          </span>
        </div>
      ))}
    </div>
  );
}

const sheetRow = "grid grid-cols-[2.25rem_1fr_6rem] *:border-line *:border-r *:border-b";

/** A session that is booked, on an appointment card. */
function SessionDrawing({ minutes }: { minutes: number }) {
  return (
    <div className="scheme-light relative border-2 border-edge bg-surface text-ink shadow-card">
      <p className="printed border-edge border-b-2 px-5 py-3">1-on-1 session, {minutes} minutes</p>
      <div className="grid grid-cols-5 gap-1.5 px-5 pt-5">
        {["Mon", "Tue", "Wed", "Thu", "Fri"].map((day) => (
          <span
            key={day}
            data-chosen={day === "Thu" || undefined}
            className={`rounded-sm border-[1.5px] py-2 text-center font-bold text-sm ${day === "Thu" ? "border-tag-ink bg-tag text-tag-ink" : "border-line-strong"}`}
          >
            {day}
          </span>
        ))}
      </div>
      <div className="flex flex-wrap items-end justify-between gap-4 px-5 pt-4 pb-5">
        <p>
          <span className="narrow block text-title">Thursday, 4:00 PM</span>
          <span className="text-ink-soft">Your time</span>
        </p>
        <Stamp>Booked</Stamp>
      </div>
      <p className="flex flex-wrap items-center gap-4 border-line border-t border-dashed px-5 py-4">
        <span className={buttonStyle({ size: "small" })}>Join</span>
        <span className="text-ink-soft text-sm">Opens 15 minutes before the start</span>
      </p>
    </div>
  );
}

/** The order of the checkout, paid. */
function OrderDrawing({ plan: { name, price, tier } }: { plan: Plan }) {
  return (
    <div className="scheme-light rounded-md border-2 border-edge bg-surface text-ink shadow-card">
      <p className="flex items-center justify-between gap-4 px-5 py-3 font-bold">
        Your order
        <Barcode value={name} className="h-6 w-24" />
      </p>
      <div className="border-edge border-y-2 bg-tag px-5 py-4 text-tag-ink">
        <p className="narrow text-heading">{name}</p>
        <p className="narrow mt-2 text-display">{formatPrice(price)}</p>
        <p className="mt-2 font-semibold">{billingNotes[tier]}</p>
      </div>
      <p className="flex items-center justify-between gap-4 px-5 py-4">
        <span>
          <span className="block font-bold">Total today</span>
          <span className="printed text-base">{formatDollars(price)}</span>
        </span>
        <Stamp>Paid</Stamp>
      </p>
    </div>
  );
}

function Stamp({ children }: { children: string }) {
  return (
    <span className="stamp narrow -rotate-6 rounded-sm border-[3px] border-stamp px-3 py-1 text-heading text-stamp">
      {children}
    </span>
  );
}

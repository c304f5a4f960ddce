import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import { named, titled } from "#ui/academy.ts";
import { Barcode } from "#ui/brand/bars.tsx";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { Loading } from "#ui/feedback/loading.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { PageFrame } from "#ui/frame/page-frame.tsx";

interface CheckoutFrameProps {
  title: string;
  description: string;
  children: ReactNode;
}

/** The frame of pages with a card form. Its only link is the wordmark. */
export function CheckoutFrame({ title, description, children }: CheckoutFrameProps) {
  return (
    <PageFrame
      title={titled(title)}
      description={description}
      header={
        <header className="border-edge border-b-2 bg-surface">
          <div className="mx-auto flex min-h-16 w-full max-w-6xl items-center justify-between gap-6 px-(--margin)">
            <a href={href.home()} aria-label={named("{academy}, home")} className="flex">
              <Wordmark compact />
            </a>
            <p className="printed flex items-center gap-3 whitespace-nowrap text-ink-soft">
              <Barcode value="register" className="hidden h-5 w-16 sm:block" />
              Card payment
            </p>
          </div>
        </header>
      }
    >
      <div className="mx-auto w-full max-w-6xl px-(--margin) pt-8 pb-16 sm:pt-12">{children}</div>
    </PageFrame>
  );
}

interface CheckoutColumnsProps {
  title: string;
  lead?: ReactNode;
  /** What is being paid for. Beside the form on wide screens, else above it. */
  summary: ReactNode;
  children: ReactNode;
}

/** The page's heading above two columns: the form and its summary. */
export function CheckoutColumns({ title, lead, summary, children }: CheckoutColumnsProps) {
  return (
    <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr] xl:gap-x-20">
      <div>
        <h1 className="wide text-title">{title}</h1>
        {lead && <p className="mt-3 max-w-[52ch] text-ink-soft">{lead}</p>}
      </div>
      <div className="lg:sticky lg:top-8 lg:col-start-2 lg:row-span-2 lg:row-start-1">{summary}</div>
      {children}
    </div>
  );
}

/** A skeleton of the form, which prevents layout shifts. */
export function CheckoutLoading({ title, what }: { title: string; what: string }) {
  return (
    <CheckoutColumns title={title} summary={<Skeleton className="h-13 lg:h-80" />}>
      <div className="grid gap-6">
        <Loading>{what}</Loading>
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-14" />
      </div>
    </CheckoutColumns>
  );
}

import { href } from "#contract/addresses.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { MissingFrame } from "./missing-frame.tsx";

const exits = [
  { label: "Plans and prices", to: href.pricing() },
  { label: "Site map", to: href.siteMap() },
  { label: "Contact", to: href.contact() },
];

export function NotFound() {
  return (
    <>
      <div className="page-grid">
        <h1 className="wide col-span-full text-display">404 Page Not Found</h1>
        <p className="col-span-full mt-5 max-w-[30ch] text-lead">
          We couldn't find this page.
          <br />
          Check the address for typos.
        </p>
        <div className="col-span-full mt-8 flex flex-wrap items-center gap-x-8 gap-y-3">
          <a href={href.home()} className={buttonStyle({ size: "large", variant: "tag" })}>
            Back to the front page
          </a>
          {exits.map(({ label, to }) => (
            <a
              key={to}
              href={to}
              className="inline-flex min-h-11 items-center font-semibold underline decoration-2 underline-offset-6"
            >
              {label}
            </a>
          ))}
        </div>
      </div>
      <MissingFrame className="mt-12 block h-56 w-full md:h-auto" />
    </>
  );
}

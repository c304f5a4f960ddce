import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { named } from "#ui/academy.ts";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";

/** The bar above the preview: the wordmark, and links for visitors or for students. */
export function PreviewBar() {
  return (
    <header className="border-edge border-b-2 bg-surface">
      <div className="page-width flex min-h-18 flex-wrap items-center gap-x-2 gap-y-2 py-3 sm:gap-x-6">
        <a href={href.home()} aria-label={named("{academy}, home")} className="mr-auto flex">
          <Wordmark compact />
        </a>
        <PreviewActions />
      </div>
    </header>
  );
}

function PreviewActions() {
  return (
    <nav aria-label="Account" className="flex min-w-0 items-center justify-end gap-2">
      <a
        href={href.dashboard()}
        className={buttonStyle({ variant: "outline", size: "small", className: "for-students" })}
      >
        Dashboard
      </a>
      <a href={loginUrl()} className={buttonStyle({ variant: "quiet", size: "small", className: "for-visitors" })}>
        Login
      </a>
      <a href={href.signup()} className={buttonStyle({ variant: "outline", size: "small", className: "for-visitors" })}>
        Sign Up
      </a>
    </nav>
  );
}

export function PreviewNote() {
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-4 rounded-md bg-kraft-soft px-5 py-4">
      <p>
        <strong>This is a free preview.</strong> The free lessons play; nothing you do here is saved.
      </p>
      <a href={href.pricing()} className={buttonStyle({ variant: "tag" })}>
        See the plans
      </a>
    </div>
  );
}

import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { buttonStyle } from "#ui/controls/button.tsx";

/** Links from the preview, for visitors or for students. */
export function PreviewActions() {
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

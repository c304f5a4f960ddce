import { type CurrentUser, loginAgainUrl } from "#contract/identity/identity.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

/** Replaces pages of the team for members who have signed in without the second factor that they must have. */
export function SecondFactorRequired({
  user: { accountUrl },
  className,
}: {
  user: CurrentUser;
  className?: string | undefined;
}) {
  const { pathname, search } = window.location;
  return (
    <StateCard
      level={1}
      className={className ?? ""}
      tone="held"
      title="Turn on your second factor"
      actions={
        <>
          {accountUrl && (
            <a href={`${accountUrl}/second-factor`} className={buttonStyle()}>
              Turn it on
            </a>
          )}
          <a
            href={loginAgainUrl(pathname + search)}
            className={buttonStyle({ variant: accountUrl ? "outline" : "action" })}
          >
            Sign in again
          </a>
        </>
      }
    >
      <p>
        Everyone on the academy's team must sign in with a second factor, such as a code from an app on their phone. You
        signed in without one.{accountUrl && " If yours is already on, sign in again."}
      </p>
      {!accountUrl && <p>Turn it on with your sign-in provider, and then sign in again.</p>}
    </StateCard>
  );
}

import type { OnPage } from "#app/plans/on-page.ts";
import { SignUp as Page } from "#site/signup/signup.tsx";
import { Island } from "./island.tsx";

export function SignUp({ onPage }: { onPage: OnPage }) {
  return (
    <Island onPage={onPage}>
      <Page />
    </Island>
  );
}

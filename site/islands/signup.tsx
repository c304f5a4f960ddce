import { SignUp as Page } from "#site/signup/signup.tsx";
import { Island } from "./island.tsx";

export function SignUp() {
  return (
    <Island>
      <Page />
    </Island>
  );
}

import { privacyPolicy } from "#content/legal.ts";
import { href } from "../addresses.ts";
import { LegalPage } from "./legal-page.tsx";

export default function PrivacyPolicy() {
  return <LegalPage document={privacyPolicy} path={href.privacyPolicy()} />;
}

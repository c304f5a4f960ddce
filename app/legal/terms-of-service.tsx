import { termsOfService } from "#content/legal.ts";
import { href } from "../addresses.ts";
import { LegalPage } from "./legal-page.tsx";

export default function TermsOfService() {
  return <LegalPage document={termsOfService} path={href.termsOfService()} />;
}

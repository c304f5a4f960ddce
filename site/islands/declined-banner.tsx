import { DeclinedBanner as Banner } from "#app/access/declined-banner.tsx";
import { Island } from "./island.tsx";

/** For documents of somebody who may be signed in. */
export function DeclinedBanner() {
  return (
    <Island>
      <Banner />
    </Island>
  );
}

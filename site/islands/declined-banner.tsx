import { DeclinedBanner as Banner } from "#app/access/declined-banner.tsx";
import { Island } from "./island.tsx";

/** Used in documents of users who may be signed in. */
export function DeclinedBanner() {
  return (
    <Island>
      <Banner />
    </Island>
  );
}

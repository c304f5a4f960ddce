import { createContext } from "react";

/** Which sections of claims the landing page has. The bar and the footer link to no others. */
export interface LandingClaims {
  hasInstructor: boolean;
  hasReviews: boolean;
}

/** The document's claims. Undefined where it has none. */
export const LandingClaimsContext = createContext<LandingClaims | undefined>(undefined);

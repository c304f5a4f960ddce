import { createContext } from "react";

/** Which sections of the landing page are made of claims that stand: bar and footer lead to no other. */
export interface LandingClaims {
  hasInstructor: boolean;
  hasReviews: boolean;
}

/** Of the document; undefined where it names none. */
export const LandingClaimsContext = createContext<LandingClaims | undefined>(undefined);

/** Which sections of claims the landing page has. The bar and the footer link to no others. */
export interface LandingClaims {
  hasInstructor: boolean;
  hasReviews: boolean;
}

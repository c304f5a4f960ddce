/** Which sections the landing page has, of those that it may lack. The bar and the footer link to no others. */
export interface LandingClaims {
  hasCourse: boolean;
  hasInstructor: boolean;
  hasReviews: boolean;
  hasQuestions: boolean;
}

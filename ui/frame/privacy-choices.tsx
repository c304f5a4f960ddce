/** Reopens the question about analytics, which listens for its clicks. Hidden without analytics. */
export function PrivacyChoices({ className }: { className: string }) {
  return (
    <button type="button" data-privacy-choices="" className={className}>
      Privacy choices
    </button>
  );
}

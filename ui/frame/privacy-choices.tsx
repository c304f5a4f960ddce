/** Lets a visitor change the answer about measuring; out of sight where nothing is measured. The question listens for it. */
export function PrivacyChoices({ className }: { className: string }) {
  return (
    <button type="button" data-privacy-choices="" className={className}>
      Privacy choices
    </button>
  );
}

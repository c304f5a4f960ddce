// Shows what is being typed into a password field, on request.
for (const button of document.querySelectorAll("[data-reveals]")) {
  const input = document.getElementById(button.dataset.reveals);
  button.hidden = false;
  button.addEventListener("click", () => {
    const shown = input.type === "text";
    input.type = shown ? "password" : "text";
    button.textContent = shown ? "Show" : "Hide";
    button.setAttribute("aria-pressed", String(!shown));
    input.focus();
  });
}

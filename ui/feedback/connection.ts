const words = "You're offline. We can't load or save anything until you're back online.";

/** Shows a bar at the bottom of the window while the browser is offline. Screen readers announce it. */
export function watchConnection(): void {
  const bar = document.createElement("p");
  bar.role = "status";
  bar.className = "offline-bar";
  const show = () => {
    bar.textContent = navigator.onLine ? "" : words;
  };
  document.body.append(bar);
  show();
  addEventListener("online", show);
  addEventListener("offline", show);
}

const words = "You are offline. Nothing loads or saves until you are back.";

/** Says at the window's end that the browser is offline, for as long as it is; read out when it begins. */
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

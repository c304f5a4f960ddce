/* Sends what the forms ask for, and keeps the changing parts of the page up to date. */
const EVERY_MS = 2000;
const status = document.querySelector("[data-status]");
const shown = new Map();

async function refresh() {
  const response = await fetch(`/sandbox/parts${location.search}`);
  if (!response.ok) throw new Error(String(response.status));
  for (const [name, html] of Object.entries(await response.json())) {
    // What did not change stays as it is: an open mail keeps its place, a selection stays selected.
    if (shown.get(name) === html) continue;
    const part = document.querySelector(`[data-part="${name}"]`);
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    // An open mail came with the page and does not change; replacing it would only load it twice.
    if (name !== "reader" || shown.has(name)) part.innerHTML = html;
    shown.set(name, html);
    if (focused) part.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  }
}

async function keepFresh() {
  try {
    if (!document.hidden) await refresh();
    if (status.dataset.lost) say("");
  } catch {
    say("The sandbox does not answer.", true);
  }
  setTimeout(keepFresh, EVERY_MS);
}

function say(text, lost = false) {
  status.textContent = text;
  if (lost) status.dataset.lost = "yes";
  else delete status.dataset.lost;
}

async function call(method, path, body) {
  const response = await fetch(`/sandbox/api/${path}`, {
    method,
    ...(body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {}),
  });
  const content = response.status === 204 ? {} : await response.json();
  if (!response.ok) throw new Error(content.message);
  return content;
}

const actions = {
  async clock(form, submitter) {
    say("Moving the clock; whatever falls due runs first.");
    const { now } = await call("POST", "clock", { advance: submitter.value || form.elements.advance.value.trim() });
    return `It is now ${now.slice(0, 16).replace("T", " ")} UTC, and what fell due has run.`;
  },
  async outcome(form) {
    const { outcomes } = await call("GET", "gateway/next");
    await call("POST", "gateway/next", { outcomes: [...outcomes, form.elements.outcome.value] });
    return `Added ${form.elements.outcome.value}.`;
  },
  async "clear-outcomes"() {
    await call("POST", "gateway/next", { outcomes: [] });
    return "The queue is empty.";
  },
  async held(form, submitter) {
    const transId = form.elements.transId.value;
    const { status: now } = await call("POST", "gateway/held", { transId, decision: submitter.value });
    return `Transaction ${transId} is now ${now}.`;
  },
  async "empty-mailbox"() {
    await call("DELETE", "mails");
    return "The mailbox is empty.";
  },
};

document.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  try {
    say(await actions[form.dataset.form](form, event.submitter));
    await refresh();
  } catch (error) {
    say(error.message);
  } finally {
    form.ariaBusy = "false";
  }
});

keepFresh();

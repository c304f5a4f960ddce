/* Submits the page's forms, keeps its changing parts up to date, and marks what the last step changed. */
const EVERY_MS = 2000;
const status = document.querySelector("[data-status]");
const shown = new Map();
/** The state of each row when the last step began. */
const before = new Map();
const readerAtFirst = location.search;

async function refresh() {
  const response = await fetch(`/sandbox/parts${location.search}`);
  if (!response.ok) throw new Error(String(response.status));
  for (const [name, html] of Object.entries(await response.json())) {
    // Leaves unchanged parts alone: an open mail keeps its scroll position, and a selection stays selected.
    if (shown.get(name) === html) continue;
    const part = document.querySelector(`[data-part="${name}"]`);
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    // An open mail does not change, and replacing it would load it twice.
    if (name !== "reader" || shown.has(name) || location.search !== readerAtFirst) part.innerHTML = html;
    shown.set(name, html);
    if (focused) part.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  }
  markChanges();
}

function rows() {
  return [...document.querySelectorAll("[data-key]")].map((row) => ({ row, ...row.dataset }));
}

function remember() {
  before.clear();
  for (const { key, state } of rows()) before.set(key, state);
}

function markChanges() {
  for (const { row, key, state } of rows()) {
    const mark = row.querySelector("[data-mark]");
    mark.textContent = before.has(key) ? "changed" : "new";
    mark.hidden = before.get(key) === state;
    row.classList.toggle("fresh", !mark.hidden);
  }
}

/** "2 transactions new or changed, 1 new mail" */
function changes() {
  const fresh = rows().filter(({ row }) => row.classList.contains("fresh"));
  const mails = fresh.filter(({ key }) => key.startsWith("mail ")).length;
  const transactions = fresh.length - mails;
  return [
    `${transactions || "no"} ${transactions === 1 ? "transaction" : "transactions"} new or changed`,
    `${mails || "no"} new ${mails === 1 ? "mail" : "mails"}`,
  ].join(", ");
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

/* Each returns the sentence that is announced when it is done. */
const actions = {
  async clock(form, submitter) {
    say("Moving the clock; whatever falls due runs first.");
    remember();
    const { now } = await call("POST", "clock", { advance: submitter.value || form.elements.advance.value.trim() });
    return () => `It is now ${now.slice(0, 16).replace("T", " ")} UTC, and what fell due has run: ${changes()}.`;
  },
  async outcome(form, submitter) {
    const outcome = submitter.value || form.elements.outcome.value;
    const { outcomes } = await call("GET", "gateway/next");
    await call("POST", "gateway/next", { outcomes: [...outcomes, outcome] });
    return () => `Added ${outcome}.`;
  },
  async reports(form) {
    const { reference } = await call("POST", "gateway/reports", { reference: form.elements.reference.value });
    return () => `Reports tell the reference: ${reference}.`;
  },
  async "clear-outcomes"() {
    await call("DELETE", "gateway/next");
    return () => "The queue is empty.";
  },
  async held(form, submitter) {
    const transId = form.elements.transId.value;
    remember();
    const { status: now } = await call("POST", "gateway/held", { transId, decision: submitter.value });
    return () => `Transaction ${transId} is now ${now}.`;
  },
  async "empty-mailbox"() {
    await call("DELETE", "mails");
    return () => "The mailbox is empty.";
  },
};

document.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  if (document.body.ariaBusy === "true") return;
  document.body.ariaBusy = "true";
  try {
    const saying = await actions[form.dataset.form](form, event.submitter);
    await refresh();
    say(saying());
  } catch (error) {
    say(error.message);
  } finally {
    document.body.ariaBusy = "false";
  }
});

/* Opens a mail in place, so that the page keeps its marks. */
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-mail]");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  showMail();
});
window.addEventListener("popstate", showMail);

async function showMail() {
  try {
    await refresh();
    document.querySelector("[data-part=reader]").scrollIntoView({ block: "nearest" });
  } catch (error) {
    say(error.message);
  }
}

remember();
keepFresh();

// @ts-check
/** Live updates and keys of the page. Everything works without it.
 *
 * The server alone makes HTML: after an event this script reads its own page again, and puts the parts
 * that have changed in their places. A place under the pointer, or with the focus, stays as it is. */

/** Time between an event and the update that it causes, in milliseconds; a report takes longer. */
const DELAY_MS = 200;
const REPORT_DELAY_MS = 3_000;
/** Time between two attempts to follow events. */
const RETRY_MS = 3_000;

const live = document.getElementById("live");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isSignedOut = false;
let isReading = false;
let isStale = false;
/** HTML of each place, as the server sent it last.
 * @type {Map<string, string>} */
const html = new Map();
/** @returns {HTMLElement[]} */
function regions() {
  return [...document.querySelectorAll("[data-live]")].filter((item) =>
    item instanceof HTMLElement
  );
}

/** @param {"ok" | "running" | "off"} kind @param {string} name */
function showConnection(kind, name) {
  const label = live?.querySelector(".name");
  if (!live || !label || label.textContent === name) return;
  live.className = `state ${kind}`;
  label.textContent = name;
}

/** Reads the page again, soon. */
function updateSoon() {
  const isReport = document.querySelector(".report") !== null;
  timer ??= setTimeout(update, isReport ? REPORT_DELAY_MS : DELAY_MS);
}

async function update() {
  timer = undefined;
  if (isReading) {
    isStale = true; // what is being read may be older than the event
    return;
  }
  isReading = true;
  try {
    const address = document.body.dataset.self ?? location.href;
    const response = await fetch(address, { headers: { accept: "text/html" } });
    if (response.status === 401) return end();
    if (response.ok) show(new DOMParser().parseFromString(await response.text(), "text/html"));
  } catch {
    // The gateway has gone; the stream of events tells when it is back.
  } finally {
    isReading = false;
    if (isStale) updateSoon();
    isStale = false;
  }
}

/** @param {Document} next */
function show(next) {
  document.title = next.title;
  let isHeld = false;
  for (const region of regions()) {
    const name = region.dataset.live ?? "";
    const update = next.querySelector(`[data-live="${CSS.escape(name)}"]`);
    if (!update || update.innerHTML === html.get(name)) continue;
    if (region.hasAttribute("data-append")) append(region, update);
    else if (isInUse(region)) isHeld = true;
    else replace(region, update);
  }
  if (isHeld) setTimeout(updateSoon, 1_000);
}

/** @param {HTMLElement} region */
function isInUse(region) {
  const isHovered = region.querySelector("a:hover, button:hover, summary:hover") !== null;
  return isHovered || region.contains(document.activeElement);
}

/** Replaces the content; what is unfolded stays so.
 *
 * @param {HTMLElement} region
 * @param {Element} update */
function replace(region, update) {
  html.set(region.dataset.live ?? "", update.innerHTML);
  const open = new Set(
    [...region.querySelectorAll("[data-key]:has(> details[open])")].map((item) =>
      item.getAttribute("data-key")
    ),
  );
  const place = region.scrollTop;
  region.replaceChildren(...update.childNodes);
  for (const item of region.querySelectorAll("[data-key]")) {
    if (!open.has(item.getAttribute("data-key"))) continue;
    item.querySelector(":scope > details")?.setAttribute("open", "");
  }
  region.scrollTop = place;
}

/** Adds new questions at the end; those that were answered stay in their places, inert.
 *
 * @param {HTMLElement} region
 * @param {Element} update */
function append(region, update) {
  html.set(region.dataset.live ?? "", update.innerHTML);
  const keys = new Set([...update.children].map((item) => item.getAttribute("data-key")));
  for (const item of region.children) {
    const key = item.getAttribute("data-key");
    if (keys.has(key)) keys.delete(key);
    else if (item instanceof HTMLElement && !item.inert) {
      item.inert = true;
      region.dispatchEvent(new Event("withdrawn", { bubbles: true }));
    }
  }
  for (const item of [...update.children]) {
    if (keys.has(item.getAttribute("data-key"))) region.append(item);
  }
  if (region.querySelector(":scope > :not([inert])") === null) region.replaceChildren();
}

/** @type {EventSource | undefined} */
let events;

/** Follows the events while the page can be seen: a browser has few connections to one host. */
function begin() {
  const stream = new EventSource("/events");
  events = stream;
  stream.addEventListener("open", () => {
    showConnection("ok", "Live");
    updateSoon();
  });
  stream.addEventListener("error", () => {
    showConnection("running", "Connecting");
    if (stream.readyState !== EventSource.CLOSED || events !== stream) return;
    // The answer was no stream: the gateway is another one, or has too many streams.
    updateSoon();
    setTimeout(() => events === stream && begin(), RETRY_MS);
  });
  for (const type of ["run", "call", "question", "answered", "server"]) {
    stream.addEventListener(type, updateSoon);
  }
}

function pause() {
  events?.close();
  events = undefined;
}

/** Ends the updates: the gateway knows this browser no more. */
function end() {
  pause();
  isSignedOut = true;
  showConnection("off", "Signed out: reload");
}

if (regions().length > 0) {
  for (const region of regions()) html.set(region.dataset.live ?? "", region.innerHTML);
  if (!document.hidden) begin();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) pause();
    else if (!isSignedOut) begin();
  });
}

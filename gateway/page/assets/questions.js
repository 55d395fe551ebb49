/** Answers to questions: a yes counts for the question that a person came to, and no other. */

/** Time for which a question is at its place, or has a focus that it was given, before it takes a yes:
 * what was pressed for something else is no answer to it. In milliseconds. */
const SETTLE_MS = 700;
/** Time between two looks at the places of questions, in milliseconds. */
const LOOK_MS = 100;

/** Place of each question on the page, and since when it is there.
 * @type {WeakMap<Element, { place: string, since: number }>} */
const places = new WeakMap();
/** Last place of the pointer among the questions, and whether it is pressed. */
let pointer = { x: -1, y: -1 };
let isPressed = false;
/** Question that got its focus from another one.
 * @type {Element | undefined} */
let heir;

/** Marks the questions that take no yes yet. */
function settle() {
  const now = performance.now();
  for (const card of document.querySelectorAll(".question")) {
    const place = placeOf(card);
    const last = places.get(card);
    const since = last?.place === place ? last.since : now;
    places.set(card, { place, since });
    card.classList.toggle("settling", now - since < SETTLE_MS);
  }
}

/** Lets the question take a yes at once: a person has come to it.
 *
 * @param {Element} card */
function welcome(card) {
  places.set(card, { place: placeOf(card), since: -Infinity });
  card.classList.remove("settling");
}

/** Distance from the window to the list of questions as it is unscrolled: a person who scrolls moves no
 * question. */
function scrolled() {
  const list = document.querySelector(".questions");
  const { left = 0, top = 0 } = list?.getBoundingClientRect() ?? {};
  const frame = list?.parentElement?.getBoundingClientRect();
  return { x: scrollX - left + (frame?.left ?? 0), y: scrollY - top + (frame?.top ?? 0) };
}

/** @param {Element} card */
function boxOf(card) {
  const { left, right, top, bottom } = card.getBoundingClientRect();
  const { x, y } = scrolled();
  return { left: left + x, right: right + x, top: top + y, bottom: bottom + y };
}

/** @param {Element} card */
function placeOf(card) {
  return Object.values(boxOf(card)).map(Math.round).join(" ");
}

/** Tells if the pointer was on the question already.
 *
 * @param {Element} card */
function isUnderPointer(card) {
  const { left, right, top, bottom } = boxOf(card);
  return pointer.x >= left && pointer.x <= right && pointer.y >= top && pointer.y <= bottom;
}

/** Moves the focus to the question after this one, else to the one before, which settles there.
 *
 * @param {Element} item */
function focusNext(item) {
  const open = [...(item.parentElement?.children ?? [])].filter((other) =>
    other === item || other instanceof HTMLElement && !other.inert
  );
  const at = open.indexOf(item);
  const next = (open[at + 1] ?? open[at - 1])?.querySelector(".question");
  if (next) places.delete(next);
  heir = next ?? undefined;
  const place = next ?? document.getElementById("content");
  if (place instanceof HTMLElement) place.focus();
  settle();
}

/** Sends an answer without leaving the page.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button */
async function answer(form, button) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) fields.append(name, String(value));
  const buttons = [...form.querySelectorAll("button")];
  const item = form.closest("li");
  const hasFocus = item?.contains(document.activeElement);
  for (const button of buttons) button.disabled = true;
  const response = await fetch(form.action, { method: "POST", body: fields, redirect: "manual" });
  if (!item) return;
  if (response.status === 404) return void (item.inert = true); // answered elsewhere, or withdrawn
  if (response.type === "opaqueredirect") {
    if (hasFocus) focusNext(item);
    item.inert = true;
    // It stays where its place would become that of another question.
    if (item.matches(":not(:has(~ :not([inert])))")) item.remove();
    return;
  }
  for (const button of buttons) button.disabled = false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const place = form.querySelector(".problem");
  if (place) place.textContent = page.querySelector(".code")?.textContent ?? "Not taken";
}

document.addEventListener("pointermove", ({ target, clientX, clientY }) => {
  const card = target instanceof Element ? target.closest(".settling") : null;
  if (card && !isUnderPointer(card)) welcome(card);
  const { x, y } = scrolled();
  pointer = { x: clientX + x, y: clientY + y };
});

document.addEventListener("pointerdown", () => void (isPressed = true));
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => void (isPressed = false));
}

document.addEventListener("focusin", ({ target }) => {
  const card = target instanceof Element ? target.closest(".question") : null;
  if (card && card !== heir && !isPressed) welcome(card);
  heir = undefined;
});

document.addEventListener("click", (event) => {
  settle();
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const isYes = button?.getAttribute("value") !== "no";
  if (button?.closest(".settling") && isYes) event.preventDefault();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.closest(".question")) return;
  event.preventDefault();
  // Without an answer from the gateway, the form is sent the plain way.
  answer(form, event.submitter).catch(() => form.submit());
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const target = event.target instanceof Element ? event.target : undefined;
  const card = target?.closest(".question");
  if (!card || target?.matches("textarea, select, input:not([type=checkbox])")) return;
  const key = CSS.escape(event.key.toLowerCase());
  const button = card.querySelector(`[data-shortcut="${key}"]`);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click();
});

if (document.querySelector(".questions")) {
  for (const card of document.querySelectorAll(".question")) welcome(card);
  setInterval(settle, LOOK_MS);
}

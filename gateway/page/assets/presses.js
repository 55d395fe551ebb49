// @ts-check
/** Presses that count, and the answers to questions that they give: what was pressed for something else
 * does nothing here.
 *
 * No button takes a press before the page has been in front of the person for a moment, and a yes counts
 * for the question that a person came to, and no other. */

/** Time for which the page is in front, and a question at its place or with a focus that it was given,
 * before a press counts. In milliseconds. */
const SETTLE_MS = 700;
/** Selector of what does something: buttons of forms that are sent, and links that look like them. The
 * style sheet has the same: the pointer reaches none of them while the page is early. */
const ACTS = "form[method=post] button, a.button";
/** Time after the withdrawal of a question in which a pointer may be on its way to that one. */
const APPROACH_MS = 2_000;
/** Time between two looks at the places of questions, in milliseconds. */
const LOOK_MS = 100;
/** Distance within which two presses are at one point, in pixels. */
const NEAR = 24;

/** Times since which the page is in front of the person, and since which its focus may be an older one: a
 * page that was just loaded has none. */
let arrivedAt = -Infinity;
let returnedAt = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let arrival;
/** Place of each question in the list, and since when it is there.
 * @type {WeakMap<Element, { place: string, since: number }>} */
const places = new WeakMap();
/** Question that got its focus from another one, and when.
 * @type {{ card: Element | undefined, since: number }} */
let heir = { card: undefined, since: 0 };
/** Last place of the mouse in the window. */
let mouse = { x: -1, y: -1 };
/** Times of the last press of a pointer, and of the last withdrawal. */
let pressedAt = -Infinity;
let withdrawnAt = -Infinity;
/** Last answer by a pointer: where and when, and whether none by a key came after it. */
let answered = { x: -1, y: -1, at: -Infinity, isLast: false };

/** Begins the moment in which no pointer presses anything. */
function arrive() {
  arrivedAt = performance.now();
  showArrival();
}

/** The same for keys, too. */
function comeBack() {
  arrive();
  returnedAt = arrivedAt;
}

/** Marks whether the page takes presses, and tells it. */
function showArrival() {
  const isEarly = performance.now() - arrivedAt < SETTLE_MS;
  document.documentElement.dataset.presses = isEarly ? "early" : "taken";
  clearTimeout(arrival);
  if (isEarly) arrival = setTimeout(showArrival, LOOK_MS);
  return isEarly;
}

/** Finds the button of a press, also one that the pointer does not reach.
 *
 * @param {MouseEvent} press */
function buttonOf({ target, detail, clientX: x, clientY: y }) {
  const button = target instanceof Element ? target.closest(ACTS) : null;
  if (button || detail === 0) return button;
  return [...document.querySelectorAll(ACTS)].find((other) => {
    const { left, right, top, bottom } = other.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  });
}

/** Drops a press, and tells so.
 *
 * @param {Event} press */
function refuse(press) {
  press.preventDefault();
  press.stopImmediatePropagation();
  const place = document.getElementById("refusal");
  if (!place) return;
  // A text that stays the same is not read out again.
  place.textContent = "";
  setTimeout(() => {
    place.textContent = "Nothing happened: what you pressed has only just come. Press again.";
  });
}

/** Marks the questions that take no yes yet, or none by a key. */
function settle() {
  const now = performance.now();
  for (const card of document.querySelectorAll(".question")) {
    const place = placeOf(card);
    const last = places.get(card);
    const since = last?.place === place ? last.since : now;
    places.set(card, { place, since });
    card.classList.toggle("settling", now - since < SETTLE_MS);
    card.classList.toggle("given", card === heir.card && now - heir.since < SETTLE_MS);
  }
}

/** Lets the question take a yes at once: a person has come to it.
 *
 * @param {Element} card */
function welcome(card) {
  places.set(card, { place: placeOf(card), since: -Infinity });
  card.classList.remove("settling");
}

/** Place of a question in the list, wherever that is scrolled to: a person who scrolls moves none.
 *
 * @param {Element} card */
function placeOf(card) {
  const list = card.closest(".questions");
  const { left = 0, top = 0 } = list?.getBoundingClientRect() ?? {};
  const frame = list?.parentElement?.getBoundingClientRect();
  const box = card.getBoundingClientRect();
  const [x, y] = [scrollX - left + (frame?.left ?? 0), scrollY - top + (frame?.top ?? 0)];
  return [box.left + x, box.top + y, box.bottom + y].map(Math.round).join(" ");
}

/** Tells if the mouse was on the question already.
 *
 * @param {Element} card */
function isUnderMouse(card) {
  const { left, right, top, bottom } = card.getBoundingClientRect();
  return mouse.x >= left && mouse.x <= right && mouse.y >= top && mouse.y <= bottom;
}

/** Moves the focus to the question after this one, else to the one before.
 *
 * @param {Element} item */
function focusNext(item) {
  const open = [...(item.parentElement?.children ?? [])].filter((other) =>
    other === item || other instanceof HTMLElement && !other.inert
  );
  const at = open.indexOf(item);
  const next = (open[at + 1] ?? open[at - 1])?.querySelector(".question");
  heir = { card: next ?? undefined, since: performance.now() };
  const place = next ?? document.getElementById("content");
  // Scrolling would bring another question under the pointer.
  if (place instanceof HTMLElement) place.focus({ preventScroll: answered.isLast });
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
    // Others stay in their places, also where the list is scrolled.
    const list = item.parentElement;
    if (list?.querySelector(":scope > :not([inert])") === null) list.replaceChildren();
    return;
  }
  for (const button of buttons) button.disabled = false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const place = form.querySelector(".problem");
  if (place) place.textContent = page.querySelector(".code")?.textContent ?? "Not taken";
}

document.addEventListener("withdrawn", () => void (withdrawnAt = performance.now()));

document.addEventListener("pointermove", ({ target, pointerType, clientX: x, clientY: y }) => {
  if (pointerType !== "mouse") return;
  const card = target instanceof Element ? target.closest(".settling") : null;
  const isLate = performance.now() - withdrawnAt > APPROACH_MS;
  if (card && isLate && !isUnderMouse(card)) welcome(card);
  mouse = { x, y };
});

// The focus that a press gives comes after it.
for (const press of ["pointerdown", "pointerup", "pointercancel"]) {
  document.addEventListener(press, () => void (pressedAt = performance.now()));
}

document.addEventListener("focusin", ({ target }) => {
  const card = target instanceof Element ? target.closest(".question") : null;
  const isPressed = performance.now() - pressedAt < SETTLE_MS;
  if (card && card !== heir.card && !isPressed) welcome(card);
});

arrive();
addEventListener("load", arrive);
addEventListener("pageshow", ({ persisted }) => persisted ? comeBack() : arrive());
addEventListener("focus", comeBack);
document.addEventListener("visibilitychange", comeBack);
// A key that is held was pressed for something else.
addEventListener("keydown", ({ key, repeat }) => {
  if (repeat && (key === "Enter" || key === " ")) comeBack();
}, true);

// Keys that send a form, and those of questions, click its button.
addEventListener("click", (event) => {
  const isByKey = event.detail === 0;
  const isEarly = isByKey ? performance.now() - returnedAt < SETTLE_MS : showArrival();
  const button = buttonOf(event);
  if (!button) return;
  if (isEarly) return refuse(event);
  settle();
  const card = button.closest(".question");
  const isSettling = card?.matches(isByKey ? ".settling, .given" : ".settling");
  const isYes = card && button.getAttribute("value") !== "no";
  if (isYes && (isSettling || (!isByKey && isRepeated(event)))) return refuse(event);
  document.getElementById("refusal")?.replaceChildren();
  if (!card) return;
  if (isByKey) answered.isLast = false;
  else {
    const { clientX: x, clientY: y } = event;
    answered = { x, y, at: performance.now(), isLast: true };
  }
}, true);

/** Tells if a press follows an answer at the same point: the list may have been scrolled between them.
 *
 * @param {MouseEvent} press */
function isRepeated({ clientX, clientY }) {
  const { x, y, at } = answered;
  return performance.now() - at < SETTLE_MS && Math.hypot(clientX - x, clientY - y) < NEAR;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  // The place of a button with the focus is not updated, and what it began goes on in another tab.
  if (form instanceof HTMLFormElement && form.target === "_blank") event.submitter?.blur();
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

addEventListener("DOMContentLoaded", () => {
  if (!document.querySelector(".questions")) return;
  settle();
  setInterval(settle, LOOK_MS);
});

/** Tasks for a language model, each with a judge by the state it leaves and by its answer. */

import { initialState } from "./state.ts";
import type { Row, State } from "./tool.ts";

export interface Task {
  readonly id: string;
  readonly prompt: string;
  /** Returns true when the task is solved. */
  readonly judge: (state: State, answer: string) => boolean;
}

const before = initialState();

export const TASKS: readonly Task[] = [
  task(
    "cheapest-lamp",
    "Which lamp in the shop is the cheapest, and what does it cost?",
    says(/clip lamp/i, /19/),
  ),
  task(
    "stock-of-desks",
    "How many pieces of each desk are in stock over all warehouses?",
    says(/10/, /15/),
  ),
  task(
    "open-orders",
    "What do all open orders of the customer Acme add up to, in euros?",
    from(() => {
      const orders = before.orders?.filter((row) =>
        row.status === "open" && row.customer === "C-1"
      ) ?? [];
      return contains(String(orders.reduce((sum, row) => sum + Number(row.total), 0)));
    }),
  ),
  task(
    "cancel-oldest",
    "Cancel the oldest open order of the shop, because the customer changed her mind.",
    from(() => {
      const [oldest] = sortBy("placed_at", before.orders?.filter((row) => row.status === "open"));
      return only("orders", (row) => row.id === oldest?.id && row.status === "cancelled");
    }),
  ),
  task(
    "refund-broken",
    "A customer wrote by mail that an order arrived broken. Refund it as our handbook says, and answer the " +
      "mail with the amount.",
    (state) => {
      const row = state.orders?.find(({ id }) => id === "O-11");
      const amount = Math.floor(Number(row?.total) * 0.8);
      return row?.refunded === amount &&
        sentTo(state, "lou@globex.example", new RegExp(`${amount}`));
    },
  ),
  task(
    "log-hours",
    "Log 2.5 hours on the issue about slow search, and tell me its total.",
    (state, answer) =>
      changed(state, "issues", (row) => row.id === "ENG-2" && row.hours === 2.5) &&
      /2\.5/.test(answer),
  ),
  task(
    "file-bug",
    'Open an issue titled "Footer overlaps on phones" and give it to Dora Lind.',
    (state) =>
      (state.issues ?? []).some((row) =>
        row.title === "Footer overlaps on phones" && row.assignee === "E-4"
      ),
  ),
  task(
    "close-duplicate",
    "The login issue is a duplicate of another one: close it so.",
    only(
      "issues",
      (row) => row.id === "ENG-3" && row.state === "closed" && row.resolution === "duplicate",
    ),
  ),
  task("bug-owners", "Who works on open issues that are bugs? Names, please.", says(/Ada Roth/)),
  task(
    "reported-in-chat",
    "Something reported in the support channel is also an issue without an assignee. Assign it to an engineer " +
      "who is not a manager, and comment on it with the chat message.",
    (state) => {
      const row = state.issues?.find(({ id }) => id === "ENG-3");
      const comment = state.comments?.find(({ issue }) => issue === "ENG-3");
      return ["E-4", "E-7"].includes(String(row?.assignee)) &&
        /log in after a reset/.test(String(comment?.body));
    },
  ),
  task(
    "plan-offsite",
    "Put the offsite that my boss asked for by mail into the calendar.",
    (state) =>
      (state.events ?? []).some((row) =>
        /offsite/i.test(String(row.title)) && row.day === "2026-12-10" && row.start === "10:00" &&
        row.end === "12:00"
      ),
  ),
  task(
    "busy-days",
    "On which days from 1 to 4 December 2026 do I have nothing in the calendar?",
    says(/(4|04|4th|4\.) ?(Dec|\b)/i),
  ),
  task(
    "move-review",
    "Delete every review from my calendar in December 2026.",
    (state) => state.events?.length === 2 && !state.events.some((row) => row.title === "Review"),
  ),
  task(
    "late-payer",
    "Which customers have overdue invoices, and how much is it for each?",
    from(() => {
      const rows = before.invoices?.filter((row) => row.status === "overdue") ?? [];
      return contains(String(rows.reduce((sum, row) => sum + Number(row.amount), 0)), "Initech");
    }),
  ),
  task(
    "pay-small",
    "Pay all invoices that are due and below 500 euros.",
    only("invoices", (row) => row.status === "paid", ["I-2"]),
  ),
  task(
    "deal-values",
    "What are all deals in the stage offer worth together, in euros?",
    says(/18[,. ]?400/),
  ),
  task(
    "win-deal",
    'Acme signed: move its open deal to won, and note "signed" on the contact.',
    (state) =>
      changed(state, "deals", (row) => row.id === "D-1" && row.stage === "won") &&
      (state.notes ?? []).some((row) =>
        row.contact_id === "C-1" && /signed/i.test(String(row.note))
      ),
  ),
  task(
    "new-owner",
    "Ben Vogel leaves. Give all his contacts to Eva Maas.",
    (state) => (state.contacts ?? []).every((row) => row.owner === "E-5"),
  ),
  task(
    "vacation-left",
    "Who in support has the most vacation left, and how many days?",
    says(/Finn Ott/, /20/),
  ),
  task(
    "approve-vacation",
    "Decide the open requests for vacation: approve those that the employee has enough days for, reject the others.",
    (state) => {
      const of = (id: string) => state.vacations?.find((row) => row.id === id)?.status;
      return of("v1") === "approved" && of("v2") === "rejected";
    },
  ),
  task(
    "rain",
    "In which of Berlin, Paris and London does it rain most over the next 7 days?",
    from(() => {
      const sum = (city: string) =>
        (before.weather ?? []).filter((row) => row.city === city).reduce(
          (all, row) => all + Number(row.rain_mm),
          0,
        );
      const [most = ""] = ["Berlin", "Paris", "London"].sort((a, b) => sum(b) - sum(a));
      return contains(most);
    }),
  ),
  task(
    "book-flight",
    "Book a flight from Berlin to Paris on 8 December 2026 for Dora Lind, as our handbook says.",
    (state) =>
      state.bookings?.length === 1 && state.bookings[0]?.flight_id === "F-3" &&
      state.bookings[0].employee_id === "E-4",
  ),
  task(
    "incident-mail",
    "Mail every engineer, one mail to all, when the payment was down.",
    (state) =>
      sentTo(state, "ada@office.example", /09:10/) &&
      sentTo(state, "dora@office.example", /09:40/) &&
      sentTo(state, "gina@office.example", /09:10/) && state.sent?.length === 1,
  ),
  task(
    "handbook",
    'Add "4. Parking card" as the last line of the handbook\'s page on onboarding.',
    (state) =>
      state.pages?.find(({ id }) => id === "onboarding")?.body ===
        "1. Laptop\n2. Badge\n3. Lunch with the team\n4. Parking card",
  ),
  task(
    "announce",
    "Post in general how many orders are open right now.",
    from(() => {
      const count = before.orders?.filter((row) => row.status === "open").length;
      return (state) =>
        (state.messages ?? []).some((row) =>
          row.channel === "general" && String(row.body).includes(String(count)) &&
          !/cake/i.test(String(row.body))
        );
    }),
  ),
];

type Judge = Task["judge"];

function task(id: string, prompt: string, judge: Judge): Task {
  return { id, prompt, judge };
}

/** A judge that first works out what it compares with. */
function from(make: () => Judge): Judge {
  return make();
}

/** The answer matches all patterns, and nothing was changed. */
function says(...patterns: readonly RegExp[]): Judge {
  return (state, answer) =>
    patterns.every((pattern) => pattern.test(answer)) &&
    JSON.stringify(state) === JSON.stringify(before);
}

function contains(...words: readonly string[]): Judge {
  const plain = (text: string) => text.replace(/(\d)[,. ](?=\d{3}\b)/g, "$1");
  return (state, answer) =>
    words.every((word) => plain(answer).includes(word)) &&
    JSON.stringify(state) === JSON.stringify(before);
}

/** Exactly these rows of a table changed: those with the ids, else one. */
function only(table: string, isRight: (row: Row) => boolean, ids?: readonly string[]): Judge {
  return (state, _answer) => {
    const rows = differences(state, table);
    const isAll = ids ? rows.map(({ id }) => id).join() === ids.join() : rows.length === 1;
    return isAll && rows.every(isRight);
  };
}

function changed(state: State, table: string, isRight: (row: Row) => boolean): boolean {
  const rows = differences(state, table);
  return rows.length === 1 && rows.every(isRight);
}

function differences(state: State, table: string): Row[] {
  return (state[table] ?? []).filter((row, i) =>
    JSON.stringify(row) !== JSON.stringify(before[table]?.[i])
  );
}

function sentTo(state: State, address: string, body: RegExp): boolean {
  return (state.sent ?? []).some(({ to, body: text }) =>
    Array.isArray(to) && to.includes(address) && body.test(String(text))
  );
}

function sortBy(field: string, rows: readonly Row[] = []): Row[] {
  return [...rows].sort((a, b) => String(a[field]).localeCompare(String(b[field])));
}

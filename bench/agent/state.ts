/** State that every task begins with. */

import type { Row, State } from "./tool.ts";

const CITIES = ["Berlin", "Paris", "London"];
const NAMES = [
  "Ada Roth",
  "Ben Vogel",
  "Cem Kaya",
  "Dora Lind",
  "Eva Maas",
  "Finn Ott",
  "Gina Paul",
];
const DEPARTMENTS = ["engineering", "sales", "support"];
const PRODUCTS: readonly (readonly [string, string, number])[] = [
  ["Brass desk lamp", "lamps", 49],
  ["Paper floor lamp", "lamps", 120],
  ["Clip lamp", "lamps", 19],
  ["Oak desk", "desks", 540],
  ["Standing desk", "desks", 690],
  ["Folding chair", "chairs", 35],
  ["Office chair", "chairs", 260],
];

/** Makes the state anew; tasks change it. */
export function initialState(): State {
  return {
    products: PRODUCTS.map(([name, category, price], i) => ({
      id: `P-${i + 1}`,
      name,
      category,
      price,
    })),
    stock: PRODUCTS.flatMap((_, i) => [
      { sku: `P-${i + 1}`, site: "Hamburg", quantity: i * 3 },
      { sku: `P-${i + 1}`, site: "Leipzig", quantity: (i * 7) % 5 },
    ]),
    orders: Array.from({ length: 24 }, (_, i) => order(i)),
    issues: [
      issue("ENG-1", "Checkout fails for old browsers", "bug in the payment form", "E-1"),
      issue("ENG-2", "Search is slow", "takes four seconds", "E-4"),
      issue("ENG-3", "Login loops after a password reset", "bug, reported by support", null),
      issue("ENG-4", "Dark mode", "wish of many customers", null),
      { ...issue("ENG-5", "Broken link in the footer", "bug", "E-1"), state: "closed" },
    ],
    comments: [{ id: "c1", issue: "ENG-1", body: "Seen in Safari 14" }],
    mails: [
      mail("M-1", "kim@acme.example", "Invoice I-3", "When will I-3 be paid? It is late."),
      mail(
        "M-2",
        "lou@globex.example",
        "Desk",
        "My order O-11 arrived broken, I want my money back.",
      ),
      mail(
        "M-3",
        "boss@office.example",
        "Offsite",
        "Please plan the offsite for 2026-12-10, 10:00 to 12:00.",
      ),
      mail("M-4", "news@shop.example", "Offers", "Lamps are cheaper this week"),
    ],
    sent: [],
    events: [
      event("e1", "Review", "2026-12-01", "10:00", "11:00"),
      event("e2", "Lunch with Acme", "2026-12-01", "12:00", "13:00"),
      event("e3", "Review", "2026-12-02", "10:00", "11:30"),
      event("e4", "Dentist", "2026-12-03", "09:00", "10:00"),
    ],
    contacts: [
      { id: "C-1", name: "Kim Stone", company: "Acme", email: "kim@acme.example", owner: "E-2" },
      { id: "C-2", name: "Lou Park", company: "Globex", email: "lou@globex.example", owner: "E-5" },
      {
        id: "C-3",
        name: "Mia Wong",
        company: "Initech",
        email: "mia@initech.example",
        owner: "E-2",
      },
    ],
    notes: [],
    deals: [
      { id: "D-1", contact: "C-1", stage: "offer", value: { amount: 12_000, currency: "EUR" } },
      { id: "D-2", contact: "C-2", stage: "lead", value: { amount: 5_000, currency: "USD" } },
      { id: "D-3", contact: "C-3", stage: "offer", value: { amount: 8_000, currency: "USD" } },
      { id: "D-4", contact: "C-1", stage: "won", value: { amount: 3_000, currency: "EUR" } },
    ],
    employees: NAMES.map((name, i) => ({
      id: `E-${i + 1}`,
      name,
      department: DEPARTMENTS[i % 3],
      email: `${name.split(" ")[0]?.toLowerCase()}@office.example`,
      manager: i === 0 ? null : "E-1",
      vacation: i * 4,
      city: CITIES[i % 3],
    })),
    vacations: [
      { id: "v1", employee_id: "E-2", from: "2026-12-07", days: 3, status: "requested" },
      { id: "v2", employee_id: "E-3", from: "2026-12-14", days: 10, status: "requested" },
      { id: "v3", employee_id: "E-4", from: "2026-11-02", days: 2, status: "approved" },
    ],
    invoices: Array.from({ length: 14 }, (_, i) => ({
      id: `I-${i + 1}`,
      customer: ["Acme", "Globex", "Initech"][i % 3],
      amount: 100 * (i + 1),
      currency: "EUR",
      status: ["paid", "due", "overdue"][i % 3],
    })),
    pages: [
      {
        id: "refunds",
        title: "Refunds",
        body: "Refund at most 80 % of the total, rounded down to euros.",
      },
      {
        id: "onboarding",
        title: "Onboarding",
        body: "1. Laptop\n2. Badge\n3. Lunch with the team",
      },
      { id: "travel", title: "Travel", body: "Book the cheapest flight. Never before 07:00." },
    ],
    channels: [{ name: "general" }, { name: "support" }, { name: "incidents" }],
    messages: [
      { id: "m1", channel: "support", body: "Customers cannot log in after a reset" },
      { id: "m2", channel: "general", body: "Cake in the kitchen" },
      { id: "m3", channel: "incidents", body: "Payment was down from 09:10 to 09:40" },
    ],
    weather: CITIES.flatMap((city, c) =>
      Array.from({ length: 7 }, (_, d) => ({
        city,
        day: `2026-12-0${d + 1}`,
        high: 5 + c * 2 + d,
        rain_mm: (d * (c + 2)) % 4,
      }))
    ),
    flights: [
      flight("F-1", "Berlin", "Paris", "06:10", 80),
      flight("F-2", "Berlin", "Paris", "09:30", 140),
      flight("F-3", "Berlin", "Paris", "17:00", 120),
      flight("F-4", "Paris", "Berlin", "18:00", 110),
    ],
    bookings: [],
  };
}

function order(i: number): Row {
  const product = PRODUCTS[i % PRODUCTS.length];
  const quantity = 1 + i % 3;
  return {
    id: `O-${i + 1}`,
    customer: `C-${1 + i % 3}`,
    status: ["open", "shipped", "shipped", "cancelled"][i % 4],
    placed_at: `2026-11-${String(24 - i).padStart(2, "0")}`,
    lines: [{ sku: `P-${1 + i % PRODUCTS.length}`, quantity, price: product?.[2] }],
    total: quantity * (product?.[2] ?? 0),
  };
}

function issue(id: string, title: string, text: string, assignee: string | null): Row {
  return { id, title, text, state: "open", assignee, hours: 0, labels: [] };
}

function mail(id: string, from: string, subject: string, body: string): Row {
  return { id, from, subject, body };
}

function event(id: string, title: string, day: string, start: string, end: string): Row {
  return { id, title, day, start, end };
}

function flight(id: string, from: string, to: string, leaves: string, price: number): Row {
  return { id, from, to, day: "2026-12-08", leaves, price };
}

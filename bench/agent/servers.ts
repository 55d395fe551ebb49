/** Stub servers of a small company, ten packs with state. */

import {
  add,
  choice,
  date,
  find,
  limit,
  list,
  matching,
  Mistake,
  number,
  page,
  read,
  type Row,
  type StubServer,
  text,
  where,
  write,
} from "./tool.ts";

const shop: StubServer = {
  instructions: "The web shop: products, their stock, customers' orders and refunds.",
  tools: [
    read("search_products", "Finds products by words in their name", {
      takes: { query: text(), "category?": choice("lamps", "desks", "chairs"), "limit?": limit },
      call: (state, args) => {
        const rows = matching(state, "products", { query: args.query, fields: ["name"] });
        return page(rows.filter((row) => !args.category || row.category === args.category), args);
      },
    }),
    read("get_product", "One product with its price in euros", {
      takes: { sku: text() },
      call: (state, { sku }) => find(state, "products", sku),
    }),
    read("get_stock", "Stock of a product in each warehouse", {
      takes: { sku: text() },
      call: (state, { sku }) => ({
        sku,
        warehouses: where(state, "stock", { sku }).map(({ site, quantity }) => ({
          site,
          quantity,
        })),
      }),
    }),
    read("list_orders", "Orders, the newest first", {
      takes: {
        "status?": choice("open", "shipped", "cancelled", "refunded"),
        "customer?": text("Id of the customer"),
        "limit?": limit,
      },
      call: (state, { status, customer, ...args }) => {
        const rows = where(state, "orders", { status, customer });
        return page(
          rows.map(({ id, status, customer, placed_at }) => ({
            order_id: id,
            status,
            customer,
            placed_at,
          })),
          args,
        );
      },
    }),
    read("get_order", "One order with its lines and total", {
      takes: { order_id: text() },
      call: (state, { order_id }) => find(state, "orders", order_id),
    }),
    write("cancel_order", "Cancels an open order", {
      takes: { order_id: text(), reason: text() },
      call: (state, { order_id, reason }) => {
        const order = find(state, "orders", order_id);
        if (order.status !== "open") throw new Mistake(`Order ${order_id} is ${order.status}`);
        return Object.assign(order, { status: "cancelled", reason });
      },
    }),
    write("refund_order", "Refunds an amount of a shipped order", {
      takes: { order_id: text(), amount: number("Euros, at most the order's total") },
      call: (state, { order_id, amount }) => {
        const order = find(state, "orders", order_id);
        if (order.status !== "shipped") throw new Mistake(`Order ${order_id} is ${order.status}`);
        if (Number(amount) > Number(order.total)) throw new Mistake("More than the order's total");
        return Object.assign(order, { status: "refunded", refunded: amount });
      },
    }),
  ],
};

const tracker: StubServer = {
  instructions: "The issue tracker of the engineers.",
  tools: [
    read("search_issues", "Finds issues by words in title and text", {
      takes: { query: text(), "state?": choice("open", "closed"), "limit?": limit },
      call: (state, args) => {
        const rows = matching(state, "issues", { query: args.query, fields: ["title", "text"] });
        return page(rows.filter((row) => !args.state || row.state === args.state), args);
      },
    }),
    read("get_issue", "One issue with its comments", {
      takes: { issue: text("Key such as ENG-7") },
      call: (state, { issue }) => ({
        ...find(state, "issues", issue),
        comments: where(state, "comments", { issue }),
      }),
    }),
    write("create_issue", "Creates an issue", {
      takes: { title: text(), text: text(), "assignee?": text(), "labels?": list(text()) },
      call: (state, args) =>
        add(state, "issues", { prefix: "ENG-", row: { state: "open", hours: 0, ...args } }),
    }),
    write("assign_issue", "Assigns an issue to an employee", {
      takes: { issue: text(), assignee: text("Id of the employee") },
      call: (state, { issue, assignee }) => {
        find(state, "employees", assignee);
        return Object.assign(find(state, "issues", issue), { assignee });
      },
    }),
    write("close_issue", "Closes an issue", {
      takes: { issue: text(), "resolution?": choice("fixed", "wontfix", "duplicate") },
      call: (state, { issue, resolution = "fixed" }) =>
        Object.assign(find(state, "issues", issue), { state: "closed", resolution }),
    }),
    write("log_work", "Adds hours of work to an issue", {
      takes: { issue: text(), hours: number(), "date?": date },
      call: (state, { issue, hours }) => {
        const row = find(state, "issues", issue);
        row.hours = Number(row.hours) + Number(hours);
        return { issue, total_hours: row.hours };
      },
    }),
    write("add_comment", "Comments on an issue", {
      takes: { issue: text(), body: text() },
      call: (state, { issue, body }) => {
        find(state, "issues", issue);
        return add(state, "comments", { prefix: "c", row: { issue, body } });
      },
    }),
  ],
};

const office: StubServer = {
  instructions: "Mail and calendar of the office.",
  tools: [
    read("search_mail", "Finds mails by words in sender, subject and body", {
      takes: { query: text(), "limit?": limit },
      call: (state, args) => {
        const fields = ["from", "subject", "body"];
        const rows = matching(state, "mails", { query: args.query, fields });
        return page(rows.map(({ body: _, ...row }) => row), args);
      },
    }),
    read("read_mail", "One mail with its body", {
      takes: { mail_id: text() },
      call: (state, { mail_id }) => find(state, "mails", mail_id),
    }),
    write("send_mail", "Sends a mail", {
      takes: { to: list(text("Address")), subject: text(), body: text() },
      call: (state, args) => add(state, "sent", { prefix: "s", row: args }),
    }),
    read("list_events", "Events of the calendar between two days, both included", {
      takes: { from: date, to: date },
      gives: { events: list({ type: "object", additionalProperties: true }) },
      call: (state, { from, to }) => ({
        events: (state.events ?? []).filter(({ day }) =>
          String(day) >= String(from) && String(day) <= String(to)
        ),
      }),
    }),
    write("create_event", "Puts an event into the calendar", {
      takes: {
        title: text(),
        day: date,
        start: text("14:00"),
        end: text("15:00"),
        "with?": list(text()),
      },
      call: (state, args) => add(state, "events", { prefix: "e", row: args }),
    }),
    write("delete_event", "Takes an event out of the calendar", {
      takes: { event_id: text() },
      call: (state, { event_id }) => {
        const event = find(state, "events", event_id);
        state.events = (state.events ?? []).filter((row) => row !== event);
        return { deleted: event_id };
      },
    }),
  ],
};

const crm: StubServer = {
  instructions: "Customers, contacts and deals.",
  tools: [
    read("find_contacts", "Finds contacts by name or company", {
      takes: { query: text(), "limit?": limit },
      call: (state, args) =>
        page(matching(state, "contacts", { query: args.query, fields: ["name", "company"] }), args),
    }),
    read("get_contact", "One contact with address and owner", {
      takes: { contact_id: text() },
      call: (state, { contact_id }) => find(state, "contacts", contact_id),
    }),
    write("update_contact", "Changes fields of a contact", {
      takes: { contact_id: text(), "email?": text(), "phone?": text(), "owner?": text() },
      call: (state, { contact_id, ...fields }) =>
        Object.assign(find(state, "contacts", contact_id), fields),
    }),
    read("list_deals", "Deals of a stage", {
      takes: { "stage?": choice("lead", "offer", "won", "lost"), "limit?": limit },
      call: (state, { stage, ...args }) => page(where(state, "deals", { stage }), args),
    }),
    write("move_deal", "Moves a deal to another stage", {
      takes: { deal_id: text(), stage: choice("lead", "offer", "won", "lost") },
      call: (state, { deal_id, stage }) => Object.assign(find(state, "deals", deal_id), { stage }),
    }),
    write("add_note", "Adds a note to a contact", {
      takes: { contact_id: text(), note: text() },
      call: (state, { contact_id, note }) => {
        find(state, "contacts", contact_id);
        return add(state, "notes", { prefix: "n", row: { contact_id, note } });
      },
    }),
  ],
};

const staff: StubServer = {
  instructions: "Employees, departments and vacations.",
  tools: [
    read("list_employees", "Employees of a department", {
      takes: { "department?": choice("engineering", "sales", "support"), "limit?": limit },
      call: (state, { department, ...args }) =>
        page(where(state, "employees", { department }), args),
    }),
    read("get_employee", "One employee with manager and address", {
      takes: { employee_id: text() },
      call: (state, { employee_id }) => find(state, "employees", employee_id),
    }),
    read("vacation_balance", "Days of vacation that an employee has left", {
      takes: { employee_id: text() },
      gives: { employee_id: text(), days_left: number() },
      call: (state, { employee_id }) => ({
        employee_id,
        days_left: find(state, "employees", employee_id).vacation,
      }),
    }),
    write("request_vacation", "Requests vacation; the manager approves it", {
      takes: {
        employee_id: text(),
        from: date,
        days: { type: "integer", minimum: 1, maximum: 30 },
      },
      call: (state, args) => {
        const { vacation } = find(state, "employees", args.employee_id);
        if (Number(args.days) > Number(vacation)) throw new Mistake("Not so many days are left");
        return add(state, "vacations", { prefix: "v", row: { ...args, status: "requested" } });
      },
    }),
    read("list_vacations", "Requests for vacation", {
      takes: { "status?": choice("requested", "approved", "rejected") },
      call: (state, { status }) => where(state, "vacations", { status }),
    }),
    write("decide_vacation", "Approves or rejects a request", {
      takes: { vacation_id: text(), decision: choice("approved", "rejected") },
      call: (state, { vacation_id, decision }) =>
        Object.assign(find(state, "vacations", vacation_id), { status: decision }),
    }),
  ],
};

const finance: StubServer = {
  instructions: "Invoices, payments and exchange rates.",
  tools: [
    read("list_invoices", "Invoices, the oldest first", {
      takes: { "status?": choice("due", "overdue", "paid"), "limit?": limit },
      call: (state, { status, ...args }) => {
        const rows = where(state, "invoices", { status });
        return { invoices: page(rows, args).items, more: rows.length > Number(args.limit ?? 10) };
      },
    }),
    read("get_invoice", "One invoice with its lines", {
      takes: { invoice_id: text() },
      call: (state, { invoice_id }) => find(state, "invoices", invoice_id),
    }),
    write("pay_invoice", "Pays an invoice from the main account", {
      takes: { invoice_id: text() },
      call: (state, { invoice_id }) =>
        Object.assign(find(state, "invoices", invoice_id), { status: "paid" }),
    }),
    read("exchange_rate", "Units of the second currency for one of the first", {
      takes: { base: text("EUR"), quote: text("USD"), "day?": date },
      gives: { rate: number() },
      call: (_, { base, quote }) => {
        const rate = RATES[`${base}${quote}`];
        if (rate === undefined) throw new Mistake(`No rate for ${base} and ${quote}`);
        return { rate };
      },
    }),
  ],
};
const RATES: Readonly<Record<string, number>> = { EURUSD: 1.25, USDEUR: 0.8, EURGBP: 0.85 };

const wiki: StubServer = {
  instructions: "Pages of the company's handbook.",
  tools: [
    read("search_pages", "Finds pages by words", {
      takes: { query: text(), "limit?": limit },
      call: (state, args) => {
        const rows = matching(state, "pages", { query: args.query, fields: ["title", "body"] });
        return page(rows.map(({ id, title }) => ({ slug: id, title })), args);
      },
    }),
    read("read_page", "Text of a page", {
      takes: { slug: text() },
      call: (state, { slug }) => find(state, "pages", slug),
    }),
    write("edit_page", "Replaces the text of a page", {
      takes: { slug: text(), body: text() },
      call: (state, { slug, body }) => Object.assign(find(state, "pages", slug), { body }),
    }),
  ],
};

const chat: StubServer = {
  instructions: "Channels and messages of the team.",
  tools: [
    read("list_channels", "All channels", {
      takes: {},
      call: (state) => state.channels ?? [],
    }),
    read("search_messages", "Finds messages by words", {
      takes: { query: text(), "channel?": text(), "limit?": limit },
      call: (state, { query, channel, ...args }) => {
        const rows = matching(state, "messages", { query, fields: ["body"] });
        return page(rows.filter((row) => !channel || row.channel === channel), args);
      },
    }),
    write("post_message", "Writes a message into a channel", {
      takes: { channel: text(), body: text() },
      call: (state, { channel, body }) => {
        if (where(state, "channels", { name: channel }).length === 0) {
          throw new Mistake(`No channel ${JSON.stringify(channel)}`);
        }
        return add(state, "messages", { prefix: "m", row: { channel, body } });
      },
    }),
  ],
};

const weather: StubServer = {
  instructions: "Weather of cities.",
  tools: [
    read("forecast", "Forecast of a city, a day a row", {
      takes: { city: text(), "days?": { type: "integer", minimum: 1, maximum: 7, default: 3 } },
      call: (state, { city, days = 3 }) => ({
        city,
        days: where(state, "weather", { city }).slice(0, Number(days)).map(withoutCity),
      }),
    }),
  ],
};

function withoutCity({ city: _, ...row }: Row): Row {
  return row;
}

const travel: StubServer = {
  instructions: "Flights and hotels for business trips.",
  tools: [
    read("search_flights", "Flights between two cities on a day", {
      takes: { from: text(), to: text(), day: date },
      call: (state, args) =>
        where(state, "flights", { from: args.from, to: args.to, day: args.day }),
    }),
    write("book_flight", "Books a seat for an employee", {
      takes: { flight_id: text(), employee_id: text() },
      call: (state, args) => {
        find(state, "flights", args.flight_id);
        find(state, "employees", args.employee_id);
        return add(state, "bookings", { prefix: "b", row: args });
      },
    }),
  ],
};

export const SERVERS: Readonly<Record<string, StubServer>> = {
  shop,
  tracker,
  office,
  crm,
  staff,
  finance,
  wiki,
  chat,
  weather,
  travel,
};

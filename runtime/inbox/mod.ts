/** Room of the questions to persons. */

export { createInbox, type Inbox, type InboxAskOptions } from "./inbox.ts";
export type {
  Answerer,
  AnswerSource,
  GivenAnswer,
  InboxAnswer,
  InboxEvent,
  Notice,
  OpenQuestion,
  PlannedCall,
  WaitingQuestion,
} from "./types.ts";

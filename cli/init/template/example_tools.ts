// Every exported function of this file is a tool: `example.greet(name="Ana")`.
// The header names packages from npm, and what the pack asks the configuration to grant.
// /// script
// dependencies = []
//
// [permissions]
// net = []
// ///

/** What is known of a text. */
export interface Measures {
  words: number;
  characters: number;
}

/**
 * Greets somebody.
 * @param name Who is greeted
 * @param language The language of the greeting
 */
export function greet(name: string, language: "en" | "de" | "fr" = "en"): string {
  const greetings = { en: "Hello", de: "Hallo", fr: "Bonjour" };
  return `${greetings[language]}, ${name}!`;
}

/**
 * Counts the words and characters of a text.
 * @param text What is measured
 */
export function measure(text: string): Measures {
  return { words: text.match(/\S+/g)?.length ?? 0, characters: [...text].length };
}
